import { Link } from '@tanstack/react-router'
import { ButtonLink } from '../../components/form/button.tsx'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { Community } from './community.tsx'
import classes from './docs-screen.module.css'
import { FairPlay } from './fair-play.tsx'
import { Faq } from './faq.tsx'
import { Glossary } from './glossary.tsx'
import { HowToPlay } from './how-to-play.tsx'
import { Machinery } from './machinery.tsx'
import { Risks } from './risks.tsx'
import { Terms } from './terms.tsx'

const CHAPTERS = [
  { id: 'how-to-play', title: 'How to play', Chapter: HowToPlay },
  { id: 'machinery', title: 'Behind the curtain', Chapter: Machinery },
  { id: 'fair-play', title: 'Winning', Chapter: FairPlay },
  { id: 'risks', title: 'Risk disclosure', Chapter: Risks },
  { id: 'terms', title: 'Terms', Chapter: Terms },
  { id: 'faq', title: 'Questions people ask', Chapter: Faq },
  { id: 'glossary', title: 'Glossary', Chapter: Glossary },
  { id: 'community', title: 'Community', Chapter: Community },
] as const

export function DocsScreen() {
  const user = useCurrentUser()
  useTitle('Docs')
  return (
    <div className={classes.page}>
      <nav className={classes.contents} aria-label="Chapters">
        {CHAPTERS.map(({ id, title }) => (
          <a key={id} href={`#${id}`} className={classes.jump}>
            {title}
          </a>
        ))}
      </nav>
      <article className={classes.article}>
        <h1 className={classes.title}>The docs</h1>
        <p className={classes.lead}>
          Papermoon is a simulation. There is no real SOL in it, no blockchain, no wallet to connect and nobody’s rent
          money. There is a market, though, and it is as merciless as the real ones. Welcome.
        </p>
        {CHAPTERS.map(({ id, title, Chapter }) => (
          <section key={id} aria-labelledby={id} className={classes.chapter}>
            <h2 id={id} className={classes.heading}>
              {title}
            </h2>
            <Chapter />
          </section>
        ))}
        <p className={classes.programs}>
          Would you rather send a program? <Link to="/developers">Developers start here.</Link>
        </p>
        <p className={classes.end}>
          {user === null ? (
            <ButtonLink to="/auth" state={{ authTab: 'register' }} tall>
              Get 100 SOL to play
            </ButtonLink>
          ) : (
            <ButtonLink to="/" tall>
              Back to the fair
            </ButtonLink>
          )}
        </p>
      </article>
    </div>
  )
}
