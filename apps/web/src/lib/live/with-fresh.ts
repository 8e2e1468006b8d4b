import type { Token, TokenId } from '../api/api.ts'
import { comparisons, type Listing } from '../market/listing.ts'
import type { ListingPage } from './patch-listing.ts'

interface Context {
  readonly listing: Listing
  /** Finds a token in the other cached queries. */
  readonly known: (id: TokenId) => Token | undefined
}

/**
 * Merges the first tokens, which were fetched again, into a long listing. The result is sorted, has the same number of
 * pages, and contains the newest version of each token. Returns undefined if the two ranges do not overlap, because too
 * many tokens were launched.
 */
export function withFresh(
  pages: ListingPage[],
  fresh: readonly Token[],
  { listing, known }: Context,
): ListingPage[] | undefined {
  const loaded = pages.flatMap(({ tokens }) => tokens)
  const byId = new Map(loaded.map((token) => [token.id, token]))
  if (!fresh.some(({ id }) => byId.has(id))) return undefined
  for (const token of fresh) byId.set(token.id, pickNewest(byId.get(token.id), token))
  const tokens = [...byId.values()].map((token) => pickNewest(known(token.id), token)).sort(comparisons[listing.sort])
  const last = pages.length - 1
  return pages.map((page, index) => {
    const from = index * listing.limit
    return { ...page, tokens: tokens.slice(from, index === last ? undefined : from + listing.limit) }
  })
}

/**
 * Returns the version of a token that includes more events. If both versions include the same events, returns
 * `fetched`, because its 24-hour values are more recent.
 */
function pickNewest(other: Token | undefined, fetched: Token): Token {
  return other !== undefined && other.seq > fetched.seq ? other : fetched
}
