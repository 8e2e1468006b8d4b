import { SEARCH_MAX, type Sort } from '../../../lib/market/listing.ts'
import { TABS, type Tab } from '../grid/columns.ts'
import { SORTS } from './sorts.ts'

/** Control and format characters: invisible, never in names, but common in pasted text. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu

/** The listing's search, sort and tab in the address; defaults are left out. */
export interface ListingChoice {
  readonly q?: string | undefined
  readonly sort?: Sort | undefined
  readonly tab?: Tab | undefined
  /** Leaves rugged tokens out. */
  readonly rugged?: 'hide' | undefined
  /** Shows the watchlist only. */
  readonly starred?: true | undefined
}

/**
 * Parses untrusted search parameters. Always returns every key: the router merges the result over the raw parameters,
 * so a missing key would keep its raw value.
 */
export function parseListingChoice({ q, sort, tab, rugged, starred }: Record<string, unknown>): ListingChoice {
  const text =
    typeof q === 'string' || typeof q === 'number' ? String(q).replace(INVISIBLE, '').slice(0, SEARCH_MAX) : ''
  const known = SORTS.find(({ value }) => value === sort)?.value ?? 'newest'
  const shown = TABS.find(({ value }) => value === tab)?.value ?? 'all'
  return {
    q: text === '' ? undefined : text,
    sort: known === 'newest' ? undefined : known,
    tab: shown === 'all' ? undefined : shown,
    rugged: rugged === 'hide' ? rugged : undefined,
    starred: starred === true ? starred : undefined,
  }
}
