import type { TokenTradesInput } from '@papermoon/contract/tokens'
import { TRADES_PAGE } from '@papermoon/contract/tokens'
import { type Trade, toTrade } from '@papermoon/engine'
import type { App } from '../../../context.ts'
import { type JournalReader, journalQueue } from '../../../database/journal-queue.ts'
import { newestTrades } from '../store.ts'
import { latestTrades } from '../trades.ts'
import { findSeqRange } from './seq-range.ts'

/**
 * A page of a token's trades, newest first; without bounds the newest, from the cache. Throws `TokenNotFoundError` and
 * `BusyError`.
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
