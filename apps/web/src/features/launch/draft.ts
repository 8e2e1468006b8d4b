import { AmmError, type BuyQuote, Decimal, LAUNCH_FEE, launchPool, parseSol, quoteBuy } from '@papermoon/amm'
import { formatHosts, isLinkOfKind } from '@papermoon/contract/link-hosts'
import type { Inputs } from '../../lib/api/api.ts'
import { SEAL_TERMS } from '../../lib/market/own-seal.ts'
import { readStored, store } from '../../lib/ui/stored.ts'
import { DEFAULT_EMOJI } from './emoji-presets.ts'

export interface Draft {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly description: string
  readonly website: string
  readonly x: string
  readonly telegram: string
  /** Amount of the first buy in SOL as decimal text, or empty for no buy. */
  readonly initialBuyAmount: string
  /** How long to seal the token, as the value of an option, or empty for no seal. */
  readonly sealTerm: string
  /** The value `yes` also seals the tokens of the first buy; otherwise the field is empty. */
  readonly sealBag: string
}

export const EMPTY_DRAFT: Draft = {
  name: '',
  symbol: '',
  emoji: DEFAULT_EMOJI,
  description: '',
  website: '',
  x: '',
  telegram: '',
  initialBuyAmount: '',
  sealTerm: '',
  sealBag: '',
}

/** Max length of a stored field, in characters. The form's own limits are lower. */
const FIELD_MAX = 500
export const LINKS = ['website', 'x', 'telegram'] as const
const OPTIONAL = ['description', ...LINKS, 'initialBuyAmount'] as const

/** Returns the API input for a draft, without optional fields that are empty. */
export function toLaunch(draft: Draft): Inputs['tokens']['launch'] {
  const links = Object.fromEntries(LINKS.map((field) => [field, toLink(draft[field])]))
  const texts = { ...draft, ...links }
  const filled = OPTIONAL.filter((field) => texts[field].trim() !== '')
  const optional = Object.fromEntries(filled.map((field) => [field, texts[field].trim()]))
  const term = SEAL_TERMS.find(({ value }) => value === draft.sealTerm)?.value
  const bag = draft.sealBag !== '' && initialQuote(draft.initialBuyAmount) !== null
  const seal = term === undefined ? {} : { seal: { term, bag } }
  return { name: draft.name.trim(), symbol: draft.symbol.trim(), emoji: draft.emoji, ...optional, ...seal }
}

/** Adds `https://` to a link without a scheme. Does not change an empty link. */
export function toLink(typed: string): string {
  const link = typed.trim()
  return link === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(link) ? link : `https://${link}`
}

/** Returns the storage key of the draft for a fair, or for the main game. */
export function draftKey(fairId: number | undefined): string {
  return `papermoon-launch-draft${fairId === undefined ? '' : `-${fairId}`}`
}

/** Stores a draft in this tab until its token is launched, so that the draft survives a reload and a login. */
export function storeDraft(draft: Draft, fairId?: number): void {
  store(draftKey(fairId), JSON.stringify(draft), 'sessionStorage')
}

/** Returns the stored draft. Fields that `storeDraft` did not write are empty. */
export function readDraft(fairId?: number): Draft {
  try {
    const stored = readStored(draftKey(fairId), 'sessionStorage')
    return stored === null ? EMPTY_DRAFT : parseDraft(JSON.parse(stored))
  } catch {
    return EMPTY_DRAFT
  }
}

function parseDraft(stored: Readonly<Record<string, unknown>>): Draft {
  const fields = Object.entries(EMPTY_DRAFT).map(([field, empty]) => {
    const text = stored[field]
    return [field, typeof text === 'string' && text.length <= FIELD_MAX ? text : empty]
  })
  return Object.fromEntries(fields) as Draft
}

/** Max length that the server allows, in characters. */
export const LINK_MAX = 200

/** Fields that can be invalid, in the form's order. */
const FIELDS = ['name', 'symbol', ...LINKS] as const

export type DraftProblems = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>

export function draftProblems(draft: Draft): DraftProblems {
  const links = LINKS.map((field) => [field, linkProblem(field, toLink(draft[field]))] as const)
  const all = [
    ['name', draft.name.trim() === '' ? 'Enter a name' : null] as const,
    ['symbol', draft.symbol.trim() === '' ? 'Enter a ticker' : null] as const,
    ...links,
  ]
  return Object.fromEntries(all.filter(([, problem]) => problem !== null))
}

export function firstProblem(problems: DraftProblems): keyof DraftProblems | null {
  return FIELDS.find((field) => problems[field] !== undefined) ?? null
}

function linkProblem(field: (typeof LINKS)[number], link: string): string | null {
  if (link === '') return null
  if (link.length > LINK_MAX) return `Use at most ${LINK_MAX} characters`
  const url = /\s/.test(link) || !URL.canParse(link) ? null : new URL(link)
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  // Require a dot, because `https://@moon` and `https://moon` are valid URLs but lead nowhere.
  if (!isWeb || !url.hostname.includes('.')) return 'Enter a web address such as https://example.com'
  if (field === 'website' || isLinkOfKind(field, url)) return null
  return `Enter a link to ${formatHosts(field)}`
}

/**
 * Returns the quote for an initial buy. Returns null if there is no buy. Returns an error if the amount is not
 * possible.
 */
export function initialQuote(typed: string): BuyQuote | AmmError | null {
  if (/^[0.]*$/.test(typed)) return null
  try {
    return quoteBuy(launchPool(), parseSol(typed))
  } catch (error) {
    if (error instanceof AmmError) return error
    throw error
  }
}

/** Returns whether the launch fee plus the initial buy exceeds `balance` (SOL). */
export function exceedsBalance(initialBuyAmount: string, balance: string): boolean {
  const quote = initialQuote(initialBuyAmount)
  const buy = quote === null || quote instanceof AmmError ? new Decimal(0) : quote.solIn
  return buy.add(LAUNCH_FEE).gt(balance)
}
