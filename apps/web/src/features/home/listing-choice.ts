import { SORTS, type Sort } from './sorts.ts'

/** What a search may hold. */
export const SEARCH_MAX = 64

/** The listing's search and sort as the address holds them: what is as usual is left out. */
export interface ListingChoice {
  readonly q?: string | undefined
  readonly sort?: Sort | undefined
}

/** Reads the parameters of an address, which anybody may have written. */
export function listingChoiceOf({ q, sort }: Record<string, unknown>): ListingChoice {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, SEARCH_MAX) : ''
  const known = SORTS.find(({ value }) => value === sort)?.value ?? 'newest'
  return { ...(text !== '' && { q: text }), ...(known !== 'newest' && { sort: known }) }
}
