import { patchMovers, patchTokenPage } from '@papermoon/live'
import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { cache, type MarketEvent, type TapeEntry, type Token, type TradeEvent, trpc } from '../api/api.ts'
import { queryClient } from '../api/query-client.ts'
import { comparisons, isLiveSort, type Listing, matchesSearch } from '../market/listing.ts'

/**
 * Applies events to every cached listing, to the movers and to the ticker. Returns the queries that must be fetched
 * again.
 */
export function applyToMarket(events: readonly MarketEvent[]): { listing: boolean; tradeTicker: boolean } {
  let isListingStale = false
  for (const query of queryClient.getQueryCache().findAll({ queryKey: getQueryKey(trpc.tokens.list) })) {
    isListingStale = applyToListing(query.queryKey, events) || isListingStale
  }
  for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: getQueryKey(trpc.tokens.byIds) })) {
    applyToTokens(queryKey, events)
  }
  const movers = cache.tokens.movers.getData()
  const moved = movers && patchMovers(movers, events).data
  if (moved !== movers) cache.tokens.movers.setData(undefined, moved)
  const tradeTicker = cache.tokens.tape.getData()
  const longer = tradeTicker && patchTradeTicker(tradeTicker, events, findName)
  if (longer !== undefined && longer.data !== tradeTicker) cache.tokens.tape.setData(undefined, longer.data)
  return { listing: isListingStale, tradeTicker: longer?.stale ?? false }
}

/** Applies events to a listing. Returns whether the listing is on the screen and must be fetched again. */
function applyToListing(queryKey: QueryKey, events: readonly MarketEvent[]): boolean {
  const { input: listing } = queryKey[1] as { input: Listing }
  const data = queryClient.getQueryData<InfiniteData<ListingPage>>(queryKey)
  if (data === undefined) return false
  const { pages, stale } = patchListing(data.pages, events, listing)
  if (pages !== data.pages) queryClient.setQueryData(queryKey, { ...data, pages })
  return stale && queryClient.getQueryCache().find({ queryKey })?.isActive() === true
}

/**
 * Applies events to a list of certain tokens. Launches are ignored, because a new token is never part of such a list.
 */
function applyToTokens(queryKey: QueryKey, events: readonly MarketEvent[]): void {
  const tokens = queryClient.getQueryData<Token[]>(queryKey)
  if (tokens === undefined) return
  const changes = events.filter(({ type }) => type !== 'token_launched')
  const page = { tokens, nextCursor: null }
  const patched = patchTokenPage(page, changes)
  if (patched !== page) queryClient.setQueryData(queryKey, patched.tokens)
}

function findName(id: number): Named | undefined {
  const entry = cache.tokens.tape.getData()?.find(({ tokenId }) => tokenId === id)
  if (entry !== undefined) return { tokenName: entry.tokenName, tokenSymbol: entry.tokenSymbol, emoji: entry.emoji }
  const movers = cache.tokens.movers.getData()
  const listings = queryClient.getQueriesData<InfiniteData<ListingPage>>({ queryKey: getQueryKey(trpc.tokens.list) })
  const lists = [
    ...(movers === undefined ? [] : [movers.fresh, movers.rising, movers.hot]),
    ...listings.flatMap(([, data]) => data?.pages.map(({ tokens }) => tokens) ?? []),
  ]
  for (const tokens of lists) {
    const token = tokens.find((listed) => listed.id === id)
    if (token !== undefined) return { tokenName: token.name, tokenSymbol: token.symbol, emoji: token.emoji }
  }
  return undefined
}

/** Max number of the market's newest trades, which is also the server's limit. */
const ENTRIES_MAX = 20

type Named = Pick<TapeEntry, 'tokenName' | 'tokenSymbol' | 'emoji'>

/**
 * Adds events to the market's newest trades, newest first. Sets `stale` if `findName` does not know a trade's token,
 * because only the server can then name the token.
 */
function patchTradeTicker(
  ticker: TapeEntry[],
  events: readonly MarketEvent[],
  findName: (tokenId: number) => Named | undefined,
): { data: TapeEntry[]; stale: boolean } {
  const known = ticker[0]?.id ?? 0
  const trades = events.flatMap((event) => (event.type === 'trade' && event.trade.id > known ? [event.trade] : []))
  const added: TapeEntry[] = []
  let stale = false
  for (const trade of trades.sort((a, b) => b.id - a.id).slice(0, ENTRIES_MAX)) {
    const named = findName(trade.tokenId)
    if (named === undefined) stale = true
    else if (added.at(-1)?.id !== trade.id) added.push({ ...trade, ...named })
  }
  return { data: added.length === 0 ? ticker : [...added, ...ticker].slice(0, ENTRIES_MAX), stale }
}

export interface ListingPage {
  tokens: Token[]
  nextCursor: string | null
}

/** Max number of tokens in an open listing. Further launches remove the last tokens. */
const TOKENS_MAX = 1_000

/**
 * Applies events to all loaded pages of a listing. Unchanged pages stay the same objects, so that React does not render
 * them again. A launched token is inserted at its sorted position: first in "newest", otherwise only within the loaded
 * range. A rugged token leaves a listing that hides rugged tokens. `stale` says that the order may be wrong: a token
 * that is not loaded may belong in the list, or a loaded token may not.
 */
export function patchListing(pages: ListingPage[], events: readonly MarketEvent[], listing: Listing) {
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
