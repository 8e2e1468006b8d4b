import { type Sol, solText } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Kysely, sql, type Transaction } from 'kysely'
import { stakedTokens } from '../../holdings/net-worth.ts'

type Reader = Kysely<Database>
type Tx = Transaction<Database>

/** Locks the open pools that a player has a stake in, in id order; returns their tokens. */
export async function lockPools(tx: Tx, userId: UserId): Promise<ReadonlySet<TokenId>> {
  const { rows } = await sql<{ token_id: TokenId }>`
    select p.token_id from pools p
     where p.token_id in ${stakedTokens(userId)} and p.rugged_at is null
     order by p.token_id for no key update of p`.execute(tx)
  return new Set(rows.map((row) => row.token_id))
}

/** Locks a player's account; call it after `lockPools`. From then on nothing of the player's moves. */
export async function lockAccount(tx: Tx, userId: UserId): Promise<void> {
  await tx
    .selectFrom('accounts')
    .select('user_id')
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** The tokens of the open pools that a player has a stake in. */
export async function findStakedPools(db: Reader, userId: UserId): Promise<TokenId[]> {
  const { rows } = await sql<{ token_id: TokenId }>`
    select p.token_id from pools p
     where p.token_id in ${stakedTokens(userId)} and p.rugged_at is null`.execute(db)
  return rows.map((row) => row.token_id)
}

/** When a player last reset their account, or null. */
export async function findLastReset(db: Reader, userId: UserId): Promise<Date | null> {
  const row = await db
    .selectFrom('grants')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('kind', '=', 'reset')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at ?? null
}

/** Grants SOL to a player whose account is locked. */
export async function insertReset(
  tx: Tx,
  reset: { userId: UserId; amount: Sol; balance: Sol; at: Date },
): Promise<void> {
  const { userId, amount, balance, at } = reset
  await tx
    .insertInto('grants')
    .values({ user_id: userId, kind: 'reset', amount: solText(amount), created_at: at })
    .execute()
  await tx
    .updateTable('accounts')
    .set({ sol_balance: solText(balance) })
    .where('user_id', '=', userId)
    .execute()
}
