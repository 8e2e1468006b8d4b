import type { Token, TokenId } from '../api/api.ts'
import { comparisons, type Listing } from '../market/listing.ts'
import type { ListingPage } from './patch-listing.ts'

interface Context {
  readonly listing: Listing
  /** What else is cached of a token. */
  readonly known: (id: TokenId) => Token | undefined
}

/**
 * A long listing after its first tokens were fetched again: as many pages as before, in the listing's order, of each
 * token what is newest. None where so much was launched that the two do not meet.
 */
export function withFresh(
  pages: ListingPage[],
  fresh: readonly Token[],
  { listing, known }: Context,
): ListingPage[] | undefined {
  const loaded = pages.flatMap(({ tokens }) => tokens)
  const byId = new Map(loaded.map((token) => [token.id, token]))
  if (!fresh.some(({ id }) => byId.has(id))) return undefined
  for (const token of fresh) byId.set(token.id, newest(byId.get(token.id), token))
  const tokens = [...byId.values()].map((token) => newest(known(token.id), token)).sort(comparisons[listing.sort])
  const last = pages.length - 1
  return pages.map((page, index) => {
    const from = index * listing.limit
    return { ...page, tokens: tokens.slice(from, index === last ? undefined : from + listing.limit) }
  })
}

/** The one that more has happened to; `fetched` where both know as much: its 24 hours are the latest. */
function newest(other: Token | undefined, fetched: Token): Token {
  return other !== undefined && other.seq > fetched.seq ? other : fetched
}
