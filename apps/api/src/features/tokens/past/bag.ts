import { cashOutValue, Decimal, solText, type Tokens, tokensText } from '@papermoon/amm'
import type { Bag, MomentInput } from '@papermoon/contract/past'
import { TokenNotFoundError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { Snapshot } from '../../../database/snapshot.ts'
import { toPool } from '../../portfolio/public.ts'
import { findPastHolders } from './past-holders.ts'
import { MomentNotFoundError, type PastReader, readCheckpoint, readPast, readPoolThen } from './read-token.ts'
import type { JournalPosition } from './store.ts'

/**
 * Returns a player's holding right after an event, its cash-out value then, and its value now. Throws the errors of
 * `getMoment`. Players can see a hidden token only while they hold it.
 */
export async function getBag(reader: PastReader, userId: UserId, position: MomentInput): Promise<Bag> {
  return await readPast(reader, async (snapshot) => {
    const now = await findOwnToken(snapshot, userId, position)
    if (now === undefined) throw new TokenNotFoundError()
    if (position.seq > now.last_seq) throw new MomentNotFoundError(now.last_seq)
    const amount = await readAmount(snapshot, userId, position)
    const pool = await readPoolThen(snapshot, position, { isRug: now.rug_seq === position.seq })
    return {
      ...position,
      amount: tokensText(amount),
      cashOutValue: solText(cashOutValue(pool, amount)),
      now: toBagNow(now, amount),
    }
  })
}

async function readAmount(snapshot: Snapshot, userId: UserId, position: JournalPosition): Promise<Tokens> {
  const checkpoint = (await readCheckpoint(snapshot, position))?.seq ?? 0
  const { rows } = await findPastHolders(snapshot, { ...position, checkpoint, limit: 0, players: [userId] })
  return new Decimal(rows[0]?.amount ?? 0)
}

function toBagNow(now: OwnTokenRow, then: Tokens): Bag['now'] {
  const amount = new Decimal(now.amount)
  const pool = toPool(now)
  return {
    amount: tokensText(amount),
    cost: solText(new Decimal(now.cost)),
    cashOutValue: solText(cashOutValue(pool, amount)),
    // The value is null if the player has sold some of these tokens since then.
    sameBag: amount.lt(then) ? null : solText(cashOutValue(pool, then)),
  }
}

/** A token's current pool, and the player's current holding. */
interface OwnTokenRow {
  readonly last_seq: number
  readonly rug_seq: number | null
  readonly sol_reserve: string
  readonly virtual_sol: string
  readonly token_reserve: string
  readonly amount: string
  readonly cost: string
}

/** Finds a token that a player can see: a visible one, or a hidden one that the player holds. */
async function findOwnToken(
  snapshot: Snapshot,
  userId: UserId,
  { tokenId }: JournalPosition,
): Promise<OwnTokenRow | undefined> {
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
