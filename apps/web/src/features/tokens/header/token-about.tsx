import { isLinkOfKind } from '@papermoon/contract/link-hosts'
import { Panel } from '../../../components/layout/panel.tsx'
import type { Token } from '../../../lib/api/api.ts'

export function TokenAbout({ token }: { token: Token }) {
  const links = toLinks(token)
  return (
    <Panel title="About">
      {token.description === null ? (
        <p className="dim">No description.</p>
      ) : (
        <p className="breaks pre-line">{token.description}</p>
      )}
      {links.length > 0 && (
        <ul className="acts">
          {links.map(({ field, label, href }) => (
            <li key={field}>
              <a
                className="pill inline-row px-m bare gap-s semibold edge hover-edge hover-accent"
                href={href}
                target="_blank"
                rel="noopener noreferrer nofollow"
                title={href}
              >
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

const LABELS = { website: 'Website', x: 'X', telegram: 'Telegram' } as const

/**
 * Returns the creator's links. Old tokens may link to any site, and a link to an unknown site has its host as the
 * label.
 */
export function toLinks(token: Pick<Token, keyof typeof LABELS>) {
  return (['website', 'x', 'telegram'] as const).flatMap((field) => {
    const href = webAddress(token[field])
    if (href === null) return []
    const url = new URL(href)
    return { field, href, label: field === 'website' || isLinkOfKind(field, url) ? LABELS[field] : url.host }
  })
}

/** Returns a link if it uses http(s), otherwise null. Links such as `javascript:` are therefore never rendered. */
export function webAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
