import { Decimal, type Sol, solText } from '@papermoon/amm'
import { HOUSE_FLOAT_SOL, HOUSE_GRANT_MAX_SOL } from '@papermoon/bots'
import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

/** Max SOL of a house bot's first grant. */
export const HOUSE_FLOAT = new Decimal(HOUSE_FLOAT_SOL)
/** Max SOL granted to a house bot within any 24 hours, in addition to its first grant. */
export const HOUSE_GRANTS_PER_DAY = new Decimal(HOUSE_GRANT_MAX_SOL)

export interface HouseGrant {
  readonly userId: UserId
  /** Amount in SOL, above 0. */
  readonly amount: Sol
  readonly at: Date
}

/**
 * Creates SOL for a house bot, as a row in the ledger, and pays it to the bot. Returns the granted SOL, which is less
 * than requested, or 0, if the grants of the last 24 hours leave no more. Throws for an account that is not a house
 * bot.
 */
export async function grantToHouseBot(db: Db, grant: HouseGrant): Promise<Sol> {
  return await db.transaction().execute((tx) => insertHouseGrant(tx, grant))
}

/** Does the same within a transaction, which keeps the bot's account locked until it ends. */
export async function insertHouseGrant(tx: Tx, { userId, amount, at }: HouseGrant): Promise<Sol> {
  if (amount.lte(0)) throw new Error(`a grant of ${solText(amount)} SOL`)
  await lockHouseAccount(tx, userId)
  // Read earlier grants in a new statement, because a statement that waited for a lock sees other tables as they were
  // before the wait. Also count a grant dated after `at`, which a node with another clock made.
  const { rows } = await sql<{ amount: string }>`
    with granted as (
      insert into grants (user_id, kind, amount, created_at)
      select ${userId}::int, 'house', least(${solText(amount)}::numeric, room.left), ${at}::timestamptz
        from (select case when count(*) = 0 then ${solText(HOUSE_FLOAT)}::numeric
                     else ${solText(HOUSE_GRANTS_PER_DAY)}::numeric - coalesce(sum(amount) filter (where
                       not is_first and created_at > ${at}::timestamptz - interval '24 hours'), 0) end as left
                from (select amount, created_at, row_number() over (order by created_at, id) = 1 as is_first
                        from grants where user_id = ${userId} and kind = 'house') earlier) room
       where room.left > 0
      returning amount
    )
    update accounts a set sol_balance = a.sol_balance + granted.amount from granted
     where a.user_id = ${userId} returning granted.amount`.execute(tx)
  return new Decimal(rows[0]?.amount ?? 0)
}

async function lockHouseAccount(tx: Tx, userId: UserId): Promise<void> {
  const row = await tx
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.user_id')
    .select('users.kind')
    .where('accounts.user_id', '=', userId)
    .forNoKeyUpdate('accounts')
    .executeTakeFirst()
  if (row?.kind !== 'house') throw new Error(`player ${userId} is no bot of the house`)
}
