import { Link } from '@tanstack/react-router'
import { ButtonLink } from '../../components/form/button.tsx'
import { ChapterPage } from '../../components/layout/chapter-page.tsx'
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

const LEAD =
  'Papermoon is a simulation. There is no real SOL in it, no blockchain, no wallet to connect and nobody’s rent money. ' +
  'There is a market, though, and it is as merciless as the real ones. Welcome.'

export function DocsScreen() {
  const user = useCurrentUser()
  useTitle('Docs')
  return (
    <ChapterPage
      title="The docs"
      lead={LEAD}
      chapters={CHAPTERS.map(({ id, title, Chapter }) => ({ id, title, content: <Chapter /> }))}
    >
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
    </ChapterPage>
  )
}
