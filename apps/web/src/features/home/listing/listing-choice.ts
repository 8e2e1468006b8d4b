import { SEARCH_MAX, type Sort } from '../../../lib/market/listing.ts'
import { TABS, type Tab } from '../grid/columns.ts'
import { SORTS } from './sorts.ts'

/** Nobody sees them, and no name holds them: they come with what is pasted. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu

/** The listing's search, sort and tab as the address holds them: what is as usual is left out. */
export interface ListingChoice {
  readonly q?: string | undefined
  readonly sort?: Sort | undefined
  readonly tab?: Tab | undefined
}

/**
 * Reads the parameters of an address, which anybody may have written. All are named: the router lays the answer over what
 * the address says, and what is left out stays as it was written.
 */
export function parseListingChoice({ q, sort, tab }: Record<string, unknown>): ListingChoice {
  const text =
    typeof q === 'string' || typeof q === 'number' ? String(q).replace(INVISIBLE, '').slice(0, SEARCH_MAX) : ''
  const known = SORTS.find(({ value }) => value === sort)?.value ?? 'newest'
  const shown = TABS.find(({ value }) => value === tab)?.value ?? 'all'
  return {
    q: text === '' ? undefined : text,
    sort: known === 'newest' ? undefined : known,
    tab: shown === 'all' ? undefined : shown,
  }
}
