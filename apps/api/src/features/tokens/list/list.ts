import { Decimal } from '@papermoon/amm'
import type { MarketEvent } from '@papermoon/contract/market-events'
import { type listInput, type Token, type TokenPage, tokenPage } from '@papermoon/contract/tokens'
import { type PatchResult, patchToken } from '@papermoon/live'
import type { z } from 'zod'
import { type CachedQuery, isSameMinute } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { type JournalReader, journalQueue } from '../../../database/journal-queue.ts'
import { findTokens, type PageQuery } from '../store.ts'
import { toToken } from '../to-token.ts'
import { readCursor, type SortedRow, writeCursor } from './cursor.ts'

type ListInput = z.output<typeof listInput>

const pageQuery: CachedQuery<ListInput, TokenPage> = {
  name: 'tokens',
  schema: tokenPage,
  key: ({ sort, rugged, limit, search, cursor }) => JSON.stringify([sort, rugged, limit, search ?? '', cursor ?? null]),
  weight: ({ limit }) => limit,
  isFresh: isSameMinute,
  scope: () => 'market',
  applyEvents: applyEventsToPage,
}

/** Returns one page of the list of tokens. Throws `BadInputError` for an invalid cursor. */
export async function listTokens(app: App, input: ListInput): Promise<TokenPage> {
  const query = toPageQuery(app, input)
  return await app.market.queryCache.get(pageQuery, input, () => readPage(app, query))
}

/**
 * Reads one page for a download of the whole list. This function does not use the cache, because other callers need the
 * cached pages. Throws `BadInputError` and `BusyError`.
 */
export async function readTokens({ app, ip }: JournalReader, input: ListInput): Promise<TokenPage> {
  const query = toPageQuery(app, input)
  return await journalQueue(ip, () => readPage(app, query))
}

function toPageQuery({ platform: { clock } }: App, { search = '', sort, rugged, limit, cursor }: ListInput): PageQuery {
  const after = cursor ? readCursor(sort, cursor) : null
  return { search, sort, hidesRugged: rugged === 'hide', limit, after, now: clock.now() }
}

async function readPage({ platform: { db } }: App, query: PageQuery): Promise<TokenPage> {
  const { sort, limit } = query
  // Read one extra row to find out whether there is a next page.
  const rows = await findTokens(db, { ...query, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const nextCursor = rows.length > limit && last !== undefined ? writeCursor(sort, last) : null
  return { tokens: page.map(toToken), nextCursor }
}

/** Applies events to a page of tokens. If the page's tokens or their order may have changed, the page becomes stale. */
function applyEventsToPage(page: TokenPage, events: readonly MarketEvent[], input: ListInput): PatchResult<TokenPage> {
  const places = new Map(page.tokens.map((token, index) => [token.id, index]))
  const tokens = [...page.tokens]
  const changed = new Set<number>()
  for (const event of events) {
    const index = places.get(event.tokenId)
    const listed = index === undefined ? undefined : tokens[index]
    if (index === undefined || listed === undefined) {
      if (mayEnter(event, page, input)) return { data: page, stale: true }
      continue
    }
    const { data, stale } = patchToken(listed, event)
    if (stale) return { data: page, stale }
    if (data !== listed) changed.add(index)
    tokens[index] = data
  }
  if (changed.size === 0) return { data: page, stale: false }
  const data = { ...page, tokens }
  if (input.rugged === 'hide' && tokens.some(({ ruggedAt }) => ruggedAt !== null)) return { data, stale: true }
  if (input.sort === 'last-trade') return moveToFront(data, input)
  return { data, stale: isByPrice(input) && !keepsOrder(data, changed, input) }
}

/**
 * Moves a token that was traded to the front of the list. The token is then the first one of the whole list, so every
 * page except the first loses it.
 */
function moveToFront(page: TokenPage, { cursor }: ListInput): PatchResult<TokenPage> {
  if (cursor) return { data: page, stale: true }
  const tokens = page.tokens.toSorted((a, b) => compareTimes(b.lastEventAt, a.lastEventAt) || b.id - a.id)
  const last = tokens.at(-1)
  const nextCursor =
    page.nextCursor === null || last === undefined ? null : writeCursor('last-trade', toSortedRow(last))
  return { data: { tokens, nextCursor }, stale: false }
}

function toSortedRow({ id, currentPrice, createdAt, lastEventAt }: Token): SortedRow {
  return { id, price: currentPrice, created_at: new Date(createdAt), last_event_at: new Date(lastEventAt) }
}

function compareTimes(one: string, other: string): number {
  return Date.parse(one) - Date.parse(other)
}

function isByPrice({ sort }: ListInput): boolean {
  return sort === 'mcap-high' || sort === 'mcap-low'
}

/** Returns whether an event may bring its token onto the page. */
function mayEnter(event: MarketEvent, { tokens, nextCursor }: TokenPage, input: ListInput): boolean {
  if (event.type === 'token_launched') return true
  if (input.sort === 'last-trade') return !input.cursor && (event.type === 'trade' || input.rugged === 'show')
  if (!isByPrice(input)) return false
  const start = input.cursor ? readCursor(input.sort, input.cursor).value : null
  const end = nextCursor === null ? null : (tokens.at(-1)?.currentPrice ?? null)
  // A page without a start and an end contains the whole list.
  if (start === null && end === null) return false
  const price = event.type === 'trade' ? event.currentPrice : '0'
  return !(start !== null && isAhead(price, start, input)) && !(end !== null && isAhead(end, price, input))
}

/** Returns whether a price comes before another one in the order of the list. */
function isAhead(price: string, other: string, { sort }: ListInput): boolean {
  const higher = new Decimal(price).cmp(other)
  return sort === 'mcap-high' ? higher > 0 : higher < 0
}

/**
 * Returns whether the changed tokens are still in the right order. Only the database knows the token that follows the
 * last one.
 */
function keepsOrder({ tokens, nextCursor }: TokenPage, changed: ReadonlySet<number>, input: ListInput): boolean {
  // The first token of a later page may have moved to an earlier page.
  if (input.cursor && changed.has(0)) return false
  if (nextCursor !== null && changed.has(tokens.length - 1)) return false
  return [...changed].every((index) =>
    [tokens.slice(index - 1, index + 1), tokens.slice(index, index + 2)].every(
      ([one, next]) => one === undefined || next === undefined || isBefore(one, next, input),
    ),
  )
}

function isBefore(one: Token, next: Token, { sort }: ListInput): boolean {
  const higher = new Decimal(one.currentPrice).cmp(next.currentPrice) || one.id - next.id
  return sort === 'mcap-high' ? higher > 0 : higher < 0
}
