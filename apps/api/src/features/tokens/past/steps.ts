import { Decimal, tokensText } from '@papermoon/amm'
import type { Steps, StepsInput } from '@papermoon/contract/past'
import { HOLDERS_PAGE } from '@papermoon/contract/tokens'
import { formatNumeric } from '@papermoon/db'
import type { TradeRow, UserId } from '@papermoon/engine'
import type { Snapshot } from '../../../database/snapshot.ts'
import { toMarketTradeEvent } from '../../../events/journal.ts'
import { newestTrades } from '../store.ts'
import { toPastHolder } from './moment.ts'
import { findPastHolders, type PastHolders } from './past-holders.ts'
import { getTokenNow, type PastReader, readCheckpoint, readPast } from './read-token.ts'
import type { ReservesRow, TokenNowRow } from './store.ts'

/**
 * Reads a page of a token's events and the holdings before it, so that a client can replay the past. The page contains
 * every holder who may be among the largest at any time of the page. Throws the errors of `getMoment`.
 */
export async function getSteps(reader: PastReader, { tokenId, after, limit }: StepsInput): Promise<Steps> {
  return await readPast(reader, async (snapshot) => {
    const before = { tokenId, seq: after }
    const now = await getTokenNow(snapshot, before)
    const checkpoint = (await readCheckpoint(snapshot, before))?.seq ?? 0
    const trades = await findStepTrades(snapshot, { ...before, limit })
    const players = [...new Set(trades.map((trade) => trade.user_id as UserId))]
    const held = await findPastHolders(snapshot, { ...before, checkpoint, limit: HOLDERS_PAGE, players })
    const events = toEvents(trades, held)
    if (now.rug_seq === after + events.length + 1 && events.length < limit) events.push(toRug(now, now.rug_seq))
    const last = after + events.length
    return {
      tokenId,
      after,
      lastSeq: now.last_seq,
      nextAfter: last < now.last_seq ? last : null,
      holdersCount: held.count,
      holders: held.rows.map(toPastHolder),
      events,
    }
  })
}

type StepRow = TradeRow & ReservesRow

/** Finds the trades after number `seq`, in order. */
async function findStepTrades(
  snapshot: Snapshot,
  { tokenId, seq, limit }: { readonly tokenId: StepsInput['tokenId']; readonly seq: number; readonly limit: number },
): Promise<StepRow[]> {
  return await newestTrades(snapshot, tokenId, limit)
    .select(['t.sol_reserve', 't.token_reserve'])
    .where('t.seq', '>', seq)
    .where('t.seq', '<=', seq + limit)
    .clearOrderBy()
    .orderBy('t.seq')
    .execute()
}

function toEvents(trades: readonly StepRow[], held: PastHolders): Steps['events'] {
  const holdings = new Map(held.rows.map((row) => [row.user_id, new Decimal(row.amount)]))
  return trades.map((row) => {
    const amount = new Decimal(row.token_amount)
    const holding = (holdings.get(row.user_id) ?? new Decimal(0)).add(row.side === 'buy' ? amount : amount.neg())
    holdings.set(row.user_id, holding)
    return toMarketTradeEvent({ ...row, holding: tokensText(holding) })
  })
}

function toRug(now: TokenNowRow, seq: number): Steps['events'][number] {
  return {
    type: 'rug_pull',
    tokenId: now.id as StepsInput['tokenId'],
    seq,
    userId: now.creator_id as UserId,
    username: now.username,
    isBot: now.is_bot,
    amount: formatNumeric(now.rug_amount ?? '0'),
    createdAt: (now.rugged_at ?? now.created_at).toISOString(),
  }
}
