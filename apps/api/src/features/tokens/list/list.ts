import { type listInput, type TokenPage, tokenPage } from '@papermoon/contract/tokens'
import type { z } from 'zod'
import { type CachedQuery, isSameMinute } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { type JournalReader, journalQueue } from '../../../database/journal-queue.ts'
import { findTokens, type PageQuery } from '../store.ts'
import { toToken } from '../to-token.ts'
import { applyEventsToPage } from './apply-events-to-page.ts'
import { readCursor, writeCursor } from './cursor.ts'

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

/** Returns one page of tokens. Throws `BadInputError` for an invalid cursor. */
export async function listTokens(app: App, input: ListInput): Promise<TokenPage> {
  const query = toPageQuery(app, input)
  return await app.market.queryCache.get(pageQuery, input, () => readPage(app, query))
}

/**
 * Reads one page of a download of the whole list. Does not use the cache, whose pages others need. Throws
 * `BadInputError` and `BusyError`.
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
  // Read one extra row, which shows whether there is a next page.
  const rows = await findTokens(db, { ...query, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const nextCursor = rows.length > limit && last !== undefined ? writeCursor(sort, last) : null
  return { tokens: page.map(toToken), nextCursor }
}
