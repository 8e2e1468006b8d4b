import { Panel } from '../../components/panel.tsx'
import type { Token } from '../../lib/api.ts'
import classes from './token-about.module.css'

/** What the creator says about the token, and where else it can be met. */
export function TokenAbout({ token }: { token: Token }) {
  const links = [
    { label: 'Website', href: webAddress(token.website) },
    { label: 'X', href: webAddress(token.x) },
    { label: 'Telegram', href: webAddress(token.telegram) },
  ]
  const present = links.flatMap(({ label, href }) => (href === null ? [] : { label, href }))
  return (
    <Panel title="About">
      {token.description === null ? (
        <p className={classes.none}>The creator has not said a word about it.</p>
      ) : (
        <p className={classes.text}>{token.description}</p>
      )}
      {present.length > 0 && (
        <ul className={classes.links}>
          {present.map(({ label, href }) => (
            <li key={label}>
              <a className={classes.link} href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
                {label}
                <span aria-hidden="true">↗</span>
                <span className="visually-hidden"> (opens in a new tab)</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** A creator's link, if it leads to the web: anything else, such as a script, is not drawn. */
export function webAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
