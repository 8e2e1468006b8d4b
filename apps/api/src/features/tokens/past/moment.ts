import type { MomentAt, MomentAtInput, MomentInput, TokenMoment } from '@papermoon/contract/past'
import { HOLDERS_PAGE, type Holder } from '@papermoon/contract/tokens'
import { formatNumeric } from '@papermoon/db'
import { TokenNotFoundError, type TradeRow, toTrade, type UserId } from '@papermoon/engine'
import type { HolderRow } from '../holders.ts'
import { toToken } from '../to-token.ts'
import { findPastHolders } from './past-holders.ts'
import { type PastReader, readPast, readTokenThen, type TokenThen } from './read-token.ts'
import { findSeqAt, findTokenNow } from './store.ts'

/**
 * Reads a token's page as it was right after one of the token's events: statistics, holders and trades, exactly as in
 * the journal. Throws `TokenNotFoundError`, `MomentNotFoundError` and `PastBusyError`.
 */
export async function getMoment(reader: PastReader, input: MomentInput): Promise<TokenMoment> {
  return await readPast(reader, async (snapshot) => {
    const then = await readTokenThen(snapshot, input)
    const creatorId = then.now.creator_id as UserId
    const checkpoint = then.checkpoint?.seq ?? 0
    const query = { ...input, checkpoint, limit: HOLDERS_PAGE, players: [creatorId] }
    const { count, rows } = await findPastHolders(snapshot, query)
    const creatorHolding = rows.find((row) => row.user_id === creatorId)?.amount ?? '0'
    return {
      ...toSurroundings(then),
      event: toEvent(then),
      token: toToken({ ...then.row, creator_holding: creatorHolding }),
      holdersCount: count,
      holders: rows.slice(0, HOLDERS_PAGE).map((row, index) => ({ ...toPastHolder(row), rank: index + 1 })),
      trades: then.trades.map(toTrade),
    }
  })
}

function toSurroundings({ now, position, at }: TokenThen) {
  const { tokenId, seq } = position
  return {
    tokenId,
    seq,
    time: at.toISOString(),
    lastSeq: now.last_seq,
    previousSeq: seq === 0 ? null : seq - 1,
    nextSeq: seq === now.last_seq ? null : seq + 1,
  }
}

function toEvent({ now, isRug, trades }: TokenThen): TokenMoment['event'] {
  const creator = { userId: now.creator_id as UserId, username: now.username, isBot: now.is_bot }
  // The creator pulled the rug, because nobody else can.
  if (isRug) return { type: 'rug', ...creator, amount: formatNumeric(now.rug_amount ?? '0') }
  const [last]: readonly (TradeRow | undefined)[] = trades
  return last === undefined ? { type: 'launch', ...creator } : { type: 'trade', trade: toTrade(last) }
}

export function toPastHolder({ user_id, username, is_bot, amount }: HolderRow): Omit<Holder, 'rank'> {
  return { userId: user_id as UserId, username, isBot: is_bot, amount: formatNumeric(amount) }
}

/**
 * Finds the last event of a token at or before a time. If the time is before the launch, returns the launch. Throws
 * `TokenNotFoundError`.
 */
export async function findMomentAt(reader: PastReader, { tokenId, time }: MomentAtInput): Promise<MomentAt> {
  return await readPast(reader, async (snapshot) => {
    const now = await findTokenNow(snapshot, tokenId)
    if (now === undefined) throw new TokenNotFoundError()
    const found = await findSeqAt(snapshot, tokenId, now.last_seq, time)
    return { tokenId, seq: found?.seq ?? 0, time: (found?.created_at ?? now.created_at).toISOString() }
  })
}
