import { patchTokenPage } from '@papermoon/live'
import type { Token } from '../api/api.ts'
import { comparisons, isFound, isMoving, type Listing } from '../market/listing.ts'
import type { MarketEvent, TradeEvent } from './live-events.ts'

export interface ListingPage {
  tokens: Token[]
  nextCursor: string | null
}

interface PatchedListing {
  readonly pages: ListingPage[]
  /** Whether a token that is not loaded may belong among those that are, or one that is may not. */
  readonly stale: boolean
}

/** A page that stays open gets this long by launches; the last of it then make room. */
const TOKENS_MAX = 1_000

/**
 * All loaded pages of a listing after some events. Pages that nothing happened to stay the same objects, so a screen full
 * of them costs nothing. A launch goes where the listing has it: first among the newest, else where what is loaded
 * reaches so far.
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
  ).tokens.filter((token) => isFound(token, listing.search))
  for (const token of launched.reverse()) patched = withLaunched(patched, token, listing)
  const isSame = patched.every((page, index) => page === pages[index])
  return { pages: isSame ? pages : patched, stale }
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
  /** The last of the loaded tokens. */
  readonly last: Token
  /** Those that something happened to. */
  readonly loaded: ReadonlyMap<number, Token>
  readonly pages: readonly ListingPage[]
  readonly listing: Listing
}

/** Whether trades move tokens over the end of what is loaded, one way or the other. */
function mayChangePlaces(events: readonly MarketEvent[], { last, loaded, pages, listing }: Loaded): boolean {
  if (!isMoving(listing.sort) || pages.at(-1)?.nextCursor === null) return false
  const trades = events.filter((event): event is TradeEvent => event.type === 'trade' && event.tokenId !== last.id)
  return trades.some(({ tokenId, currentPrice }) => {
    const token = loaded.get(tokenId)
    const isBefore = comparisons[listing.sort]({ ...last, id: tokenId, currentPrice }, last) < 0
    // Of a token that is not loaded nothing tells whether a search finds it.
    return token === undefined ? isBefore && listing.search === undefined : !isBefore
  })
}
