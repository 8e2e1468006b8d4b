import type { Sort } from '../../../lib/market/listing.ts'

/** Which tokens the listing shows, and in what order. */
export interface Filters {
  readonly search: string
  readonly sort: Sort
  readonly hidesRugged: boolean
}
