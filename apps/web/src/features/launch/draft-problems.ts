import { formatHosts, isLinkOfKind } from '@papermoon/contract/link-hosts'
import { type Draft, LINKS, toLink } from './draft.ts'

/** The server's limit. */
export const LINK_MAX = 200

/** Fields that can be invalid, in the form's order. */
const FIELDS = ['name', 'symbol', ...LINKS] as const

/** The problem of each invalid field. */
export type DraftProblems = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>

/** Faults in a draft's texts that the server would refuse; empty if none. */
export function draftProblems(draft: Draft): DraftProblems {
  const links = LINKS.map((field) => [field, linkProblem(field, toLink(draft[field]))] as const)
  const all = [
    ['name', draft.name.trim() === '' ? 'A coin needs a name' : null] as const,
    ['symbol', draft.symbol.trim() === '' ? 'A coin needs a ticker' : null] as const,
    ...links,
  ]
  return Object.fromEntries(all.filter(([, problem]) => problem !== null))
}

/** The first invalid field in the form's order, or null. */
export function firstProblem(problems: DraftProblems): keyof DraftProblems | null {
  return FIELDS.find((field) => problems[field] !== undefined) ?? null
}

function linkProblem(field: (typeof LINKS)[number], link: string): string | null {
  if (link === '') return null
  if (link.length > LINK_MAX) return `A link has at most ${LINK_MAX} characters`
  const url = /\s/.test(link) || !URL.canParse(link) ? null : new URL(link)
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  // Require a dot: `https://@moon` and `https://moon` parse, but lead nowhere.
  if (!isWeb || !url.hostname.includes('.')) return 'Not a web address, such as https://example.com'
  if (field === 'website' || isLinkOfKind(field, url)) return null
  return `Not an address at ${formatHosts(field)}`
}
