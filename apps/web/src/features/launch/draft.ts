import type { Inputs } from '../../lib/api/api.ts'
import { DEFAULT_EMOJI } from './emoji-presets.ts'

/** The values of the launch form. */
export interface Draft {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly description: string
  readonly website: string
  readonly x: string
  readonly telegram: string
  /** SOL as decimal text, or empty. */
  readonly initialBuyAmount: string
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
}

const KEPT_KEY = 'papermoon-launch-draft'
/** Max characters of a kept field; above what the form lets in. */
const KEPT_MAX = 500
export const LINKS = ['website', 'x', 'telegram'] as const
const OPTIONAL = ['description', ...LINKS, 'initialBuyAmount'] as const

/** The API input for a draft; empty optional fields are left out. */
export function toLaunch(draft: Draft): Inputs['tokens']['launch'] {
  const links = Object.fromEntries(LINKS.map((field) => [field, toLink(draft[field])]))
  const texts = { ...draft, ...links }
  const filled = OPTIONAL.filter((field) => texts[field].trim() !== '')
  const optional = Object.fromEntries(filled.map((field) => [field, texts[field].trim()]))
  return { name: draft.name.trim(), symbol: draft.symbol.trim(), emoji: draft.emoji, ...optional }
}

/** Adds `https://` to a link without a scheme; empty stays empty. */
export function toLink(typed: string): string {
  const link = typed.trim()
  return link === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(link) ? link : `https://${link}`
}

/** Stores a draft in this tab while its author signs in. */
export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(KEPT_KEY, JSON.stringify(draft))
  } catch {
    // Storage is blocked or full: the author starts over.
  }
}

/** Removes and returns the stored draft; fields that `keepDraft` did not write are empty. */
export function takeDraft(): Draft {
  try {
    const kept = sessionStorage.getItem(KEPT_KEY)
    sessionStorage.removeItem(KEPT_KEY)
    return kept === null ? EMPTY_DRAFT : parseDraft(JSON.parse(kept))
  } catch {
    return EMPTY_DRAFT
  }
}

function parseDraft(kept: Readonly<Record<string, unknown>>): Draft {
  const fields = Object.entries(EMPTY_DRAFT).map(([field, empty]) => {
    const text = kept[field]
    return [field, typeof text === 'string' && text.length <= KEPT_MAX ? text : empty]
  })
  return Object.fromEntries(fields) as Draft
}
