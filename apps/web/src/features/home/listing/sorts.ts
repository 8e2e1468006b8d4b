import type { Sort } from '../../../lib/market/listing.ts'

/** The sort options with their labels. */
export const SORTS: readonly { readonly value: Sort; readonly label: string }[] = [
  { value: 'newest', label: 'Newest First' },
  { value: 'oldest', label: 'Oldest First' },
  { value: 'mcap-high', label: 'Market Cap (High)' },
  { value: 'mcap-low', label: 'Market Cap (Low)' },
  { value: 'last-trade', label: 'Last Trade' },
]
