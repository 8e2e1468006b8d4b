import type { TimeRange } from '@papermoon/contract/times'
import { type TokenTradesInput, TRADES_PAGE, trades } from '@papermoon/contract/tokens'
import type { Db } from '@papermoon/db'
import { type TokenId, TokenNotFoundError, type Trade, toTrade } from '@papermoon/engine'
import { patchTrades } from '@papermoon/live'
import type { CachedQuery } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { tokenExists, visibleTokens } from '../../../database/conditions.ts'
import { type JournalReader, journalQueue } from '../../../database/journal-queue.ts'
import { findSeqAt } from '../past/store.ts'
import { findTrades, newestTrades } from '../store.ts'
import { patchEach } from '../to-token.ts'

/** A token's events with a sequence number above `after` and up to `last`. */
export interface SeqRange {
  readonly after: number
  readonly last: number
}

/**
 * Reads a page of a token's trades, newest first. Without parameters, returns the newest trades from the cache. Throws
 * `TokenNotFoundError` and `BusyError`.
 */
export async function getTokenTrades({ app, ip }: JournalReader, input: TokenTradesInput): Promise<Trade[]> {
  const { id, limit, cursor, from, to } = input
  if (limit === undefined && cursor === undefined && from === undefined && to === undefined) {
    return await latestTrades(app, id)
  }
  return await journalQueue(ip, () => readTokenTrades(app, input))
}

async function readTokenTrades({ platform: { db } }: App, input: TokenTradesInput): Promise<Trade[]> {
  const { id, limit = TRADES_PAGE, cursor } = input
  const { after, last } = await findSeqRange(db, id, input)
  const rows = await newestTrades(db, id, limit)
    .where('t.seq', '<=', cursor === undefined ? last : Math.min(last, cursor - 1))
    .where('t.seq', '>', after)
    .execute()
  return rows.map(toTrade)
}

const tradesQuery: CachedQuery<TokenId, Trade[]> = {
  name: 'trades',
  schema: trades,
  key: String,
  weight: () => 5,
  // The cached result is always fresh, because events contain every change.
  isFresh: () => true,
  scope: (id) => id,
  applyEvents: patchEach((known, event) => ({ data: patchTrades(known, event), stale: false })),
}

/** Returns a token's newest trades, newest first, at most 50. Throws `TokenNotFoundError`. */
export async function latestTrades(app: App, id: TokenId): Promise<Trade[]> {
  return await app.market.queryCache.get(tradesQuery, id, async () => {
    const rows = await findTrades(app.platform.db, id, TRADES_PAGE)
    if (rows.length === 0 && !(await tokenExists(app.platform.db, id))) throw new TokenNotFoundError()
    return rows.map(toTrade)
  })
}

/** Finds the sequence numbers of a token's events in a time range. Throws `TokenNotFoundError`. */
export async function findSeqRange(db: Db, id: TokenId, { from, to }: TimeRange): Promise<SeqRange> {
  const pool = await db
    .selectFrom('pools as p')
    .innerJoin(visibleTokens.as('k'), 'k.id', 'p.token_id')
    .select('p.seq')
    .where('p.token_id', '=', id)
    .executeTakeFirst()
  if (pool === undefined) throw new TokenNotFoundError()
  const findLastBefore = async (time: Date) =>
    (await findSeqAt(db, id, pool.seq, new Date(time.getTime() - 1)))?.seq ?? 0
  return {
    after: from === undefined ? 0 : await findLastBefore(from),
    last: to === undefined ? pool.seq : await findLastBefore(to),
  }
}
