import {
  cashOutValue,
  Decimal,
  type Pool,
  type Position,
  positionAfterBuy,
  positionAfterSell,
  type Sol,
  solText,
  tokensText,
} from '@papermoon/amm'
import { TokenNotFoundError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { Snapshot } from '../../../database/snapshot.ts'
import { MomentNotFoundError } from './errors.ts'
import { type PastReader, readCheckpoint, readPast, readPoolThen } from './read-token.ts'
import type { Bag, MomentInput } from './schemas.ts'
import type { Place } from './store.ts'

/**
 * What a player held right after an event, what selling all of it then would have paid, and what has become of it.
 * Throws as `getMoment` does. Only those who still hold a hidden token find it.
 */
export async function getBag(reader: PastReader, userId: UserId, place: MomentInput): Promise<Bag> {
  return await readPast(reader, async (snapshot) => {
    const now = await findOwnToken(snapshot, userId, place)
    if (now === undefined) throw new TokenNotFoundError()
    if (place.seq > now.last_seq) throw new MomentNotFoundError(now.last_seq)
    const then = await readPosition(snapshot, userId, place)
    const pool = await readPoolThen(snapshot, place, { isRug: now.rug_seq === place.seq })
    const cashOut = cashOutValue(pool, then.amount)
    return {
      ...place,
      amount: tokensText(then.amount),
      cost: solText(then.cost),
      cashOutValue: solText(cashOut),
      profit: solText(cashOut.sub(then.cost)),
      now: toBagNow(now, then),
    }
  })
}

function toBagNow(now: OwnTokenRow, then: Position): Bag['now'] {
  const amount = new Decimal(now.amount)
  const pool: Pool = {
    sol: new Decimal(now.sol_reserve),
    virtualSol: new Decimal(now.virtual_sol),
    tokens: new Decimal(now.token_reserve),
  }
  // A bag that is held no more cannot be priced: the pool has its tokens already.
  const sameBag: Sol | null = amount.lt(then.amount) ? null : cashOutValue(pool, then.amount)
  return {
    amount: tokensText(amount),
    cost: solText(new Decimal(now.cost)),
    cashOutValue: solText(cashOutValue(pool, amount)),
    sameBag: sameBag === null ? null : solText(sameBag),
  }
}

/** A player's position right after an event: that of the last checkpoint, and the player's own trades after it. */
async function readPosition(snapshot: Snapshot, userId: UserId, place: Place): Promise<Position> {
  const checkpoint = (await readCheckpoint(snapshot, place))?.seq ?? 0
  const trades = await findOwnTrades(snapshot, userId, { ...place, checkpoint })
  return trades.reduce(
    addTrade,
    (await findPositionAt(snapshot, userId, { ...place, seq: checkpoint })) ?? {
      amount: new Decimal(0),
      cost: new Decimal(0),
    },
  )
}

interface OwnTradeRow {
  readonly side: 'buy' | 'sell'
  readonly token_amount: string
  readonly sol_amount: string
}

/** A position after one more of its player's trades. */
export function addTrade(position: Position, trade: OwnTradeRow): Position {
  const [tokens, sol] = [new Decimal(trade.token_amount), new Decimal(trade.sol_amount)]
  return trade.side === 'buy'
    ? positionAfterBuy(position, tokens, sol)
    : positionAfterSell(position, tokens, sol).position
}

/** A player's trades in (checkpoint, seq], in order. */
async function findOwnTrades(
  snapshot: Snapshot,
  userId: UserId,
  { tokenId, seq, checkpoint }: Place & { readonly checkpoint: number },
): Promise<OwnTradeRow[]> {
  return await snapshot
    .selectFrom('trades')
    .select(['side', 'token_amount', 'sol_amount'])
    .where('token_id', '=', tokenId)
    .where('seq', '>', checkpoint)
    .where('seq', '<=', seq)
    .where('user_id', '=', userId)
    .orderBy('seq')
    .execute()
}

/** A player's position in a checkpoint; undefined for none. */
async function findPositionAt(
  snapshot: Snapshot,
  userId: UserId,
  { tokenId, seq }: Place,
): Promise<Position | undefined> {
  const { rows } = await sql<{ amount: string; cost: string }>`
    select b.amount * 0.000001 as amount, b.cost * 0.000000001 as cost
      from holder_checkpoints c, unnest(c.user_ids, c.amounts, c.costs) as b (user_id, amount, cost)
     where c.token_id = ${tokenId} and c.seq = ${seq} and b.user_id = ${userId}`.execute(snapshot)
  const [row] = rows
  return row === undefined ? undefined : { amount: new Decimal(row.amount), cost: new Decimal(row.cost) }
}

/** A token's pool now, and what a player holds of it now. */
interface OwnTokenRow {
  readonly last_seq: number
  readonly rug_seq: number | null
  readonly sol_reserve: string
  readonly virtual_sol: string
  readonly token_reserve: string
  readonly amount: string
  readonly cost: string
}

/** A token that a player may see: any visible one, and a hidden one that they hold. */
async function findOwnToken(snapshot: Snapshot, userId: UserId, { tokenId }: Place): Promise<OwnTokenRow | undefined> {
  const { rows } = await sql<OwnTokenRow>`
    select p.seq as last_seq, r.seq as rug_seq, p.sol_reserve, p.virtual_sol, p.token_reserve,
           coalesce(h.amount, 0) as amount, coalesce(h.cost, 0) as cost
      from tokens t
      join pools p on p.token_id = t.id
      left join rugs r on r.token_id = t.id
      left join holdings h on h.token_id = t.id and h.user_id = ${userId}
     where t.id = ${tokenId} and (t.hidden_at is null or h.amount > 0)`.execute(snapshot)
  return rows[0]
}
