import { patchTokenPage } from '@papermoon/live'
import type { MarketEvent, Token, TradeEvent } from '../api/api.ts'
import { comparisons, isLiveSort, type Listing, matchesSearch } from '../market/listing.ts'

export interface ListingPage {
  tokens: Token[]
  nextCursor: string | null
}

interface PatchedListing {
  readonly pages: ListingPage[]
  /** Whether the order may be wrong: a token that is not loaded may belong in the list, or a loaded token may not. */
  readonly stale: boolean
}

/** Max number of tokens in an open listing. Further launches remove the last tokens. */
const TOKENS_MAX = 1_000

/**
 * Applies events to all loaded pages of a listing. Unchanged pages stay the same objects, so that React does not render
 * them again. A launched token is inserted at its sorted position: first in "newest", otherwise only within the loaded
 * range. A rugged token leaves a listing that hides rugged tokens.
 */
export function patchListing(pages: ListingPage[], events: readonly MarketEvent[], listing: Listing): PatchedListing {
  const touched = new Set(events.map(({ tokenId }) => tokenId))
  const loaded = new Map<number, Token>()
  const changes = events.filter(({ type }) => type !== 'token_launched')
  let patched = pages.map((page) => {
    const concerned = page.tokens.filter(({ id }) => touched.has(id))
    if (concerned.length === 0) return page
    for (const token of concerned) loaded.set(token.id, token)
    return patchTokenPage(page, changes)
  })
  const last = pages.at(-1)?.tokens.at(-1)
  const stale = last !== undefined && mayChangePlaces(events, { last, loaded, pages, listing })
  const launched = patchTokenPage(
    { tokens: [], nextCursor: null },
    events.filter(({ tokenId }) => !loaded.has(tokenId)),
  ).tokens.filter((token) => matchesSearch(token, listing.search))
  for (const token of launched.reverse()) patched = withLaunched(patched, token, listing)
  if (listing.rugged === 'hide') patched = patched.map(withoutRugged)
  const isSame = patched.every((page, index) => page === pages[index])
  return { pages: isSame ? pages : patched, stale }
}

function withoutRugged(page: ListingPage): ListingPage {
  const tokens = page.tokens.filter(({ ruggedAt }) => ruggedAt === null)
  return tokens.length === page.tokens.length ? page : { ...page, tokens }
}

function withLaunched(pages: ListingPage[], token: Token, { sort }: Listing): ListingPage[] {
  const first = pages[0]
  const end = pages.at(-1)
  if (first === undefined || end === undefined) return pages
  if (sort === 'newest') return [{ ...first, tokens: [token, ...first.tokens].slice(0, TOKENS_MAX) }, ...pages.slice(1)]
  const last = end.tokens.at(-1)
  const reaches = end.nextCursor === null || (last !== undefined && comparisons[sort](token, last) < 0)
  if (!reaches || end.tokens.length >= TOKENS_MAX) return pages
  return [...pages.slice(0, -1), { ...end, tokens: [...end.tokens, token] }]
}

interface Loaded {
  readonly last: Token
  readonly loaded: ReadonlyMap<number, Token>
  readonly pages: readonly ListingPage[]
  readonly listing: Listing
}

/** Returns whether trades may move tokens into or out of the loaded range. */
function mayChangePlaces(events: readonly MarketEvent[], { last, loaded, pages, listing }: Loaded): boolean {
  if (!isLiveSort(listing.sort) || pages.at(-1)?.nextCursor === null) return false
  const trades = events.filter((event): event is TradeEvent => event.type === 'trade' && event.tokenId !== last.id)
  return trades.some(({ tokenId, currentPrice, trade }) => {
    const token = loaded.get(tokenId)
    const traded = { ...last, id: tokenId, currentPrice, lastEventAt: trade.createdAt }
    const isBefore = comparisons[listing.sort](traded, last) < 0
    // If the token is not loaded, the page cannot know whether the search matches it.
    return token === undefined ? isBefore && listing.search === undefined : !isBefore
  })
}
