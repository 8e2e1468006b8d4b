import { Decimal, type Sol, solText } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, sql, type Transaction } from 'kysely'

/** SOL: the most that a bot of the house is granted within any 24 hours, its first money included. */
export const HOUSE_GRANTS_PER_DAY = new Decimal(100)

export interface HouseGrant {
  readonly userId: UserId
  /** SOL, above 0. */
  readonly amount: Sol
  readonly at: Date
}

/**
 * Creates SOL for a bot of the house, as a row of the ledger, and pays it to the bot. Returns what was granted: less than
 * asked for, or 0, where the last 24 hours' grants leave no more. Throws for an account that is not of the house.
 */
export async function grantToHouseBot(db: Kysely<Database>, grant: HouseGrant): Promise<Sol> {
  return await db.transaction().execute((tx) => insertHouseGrant(tx, grant))
}

/** The same within a transaction, which keeps the bot's account locked until it ends. */
export async function insertHouseGrant(tx: Transaction<Database>, { userId, amount, at }: HouseGrant): Promise<Sol> {
  if (amount.lte(0)) throw new Error(`a grant of ${solText(amount)} SOL`)
  await lockHouseAccount(tx, userId)
  // A statement that waited for a lock sees other tables as of its start, so the earlier grants are read by a later one.
  const { rows } = await sql<{ amount: string }>`
    with granted as (
      insert into grants (user_id, kind, amount, created_at)
      select ${userId}::int, 'house', least(${solText(amount)}::numeric, room.left), ${at}::timestamptz
        from (select ${solText(HOUSE_GRANTS_PER_DAY)}::numeric - coalesce(sum(amount), 0) as left
                from grants where user_id = ${userId} and kind = 'house'
                 and created_at > ${at}::timestamptz - interval '24 hours') room
       where room.left > 0
      returning amount
    )
    update accounts a set sol_balance = a.sol_balance + granted.amount from granted
     where a.user_id = ${userId} returning granted.amount`.execute(tx)
  return new Decimal(rows[0]?.amount ?? 0)
}

async function lockHouseAccount(tx: Transaction<Database>, userId: UserId): Promise<void> {
  const row = await tx
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.user_id')
    .select('users.kind')
    .where('accounts.user_id', '=', userId)
    .forNoKeyUpdate('accounts')
    .executeTakeFirst()
  if (row?.kind !== 'house') throw new Error(`player ${userId} is no bot of the house`)
}
