import { Decimal, type Sol, solText } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { TokenId, UserId } from '../../ids.ts'
import type { PoolStake } from './net-worth.ts'

type Reader = Kysely<Database>
type Tx = Transaction<Database>

/** The tokens that a player holds or launched. */
const stakedTokens = (userId: UserId) => sql`
  (select token_id from holdings where user_id = ${userId} and amount > 0
   union select id from tokens where creator_id = ${userId})`

/** Locks the open pools that a player has something in, in id order; returns their tokens. */
export async function lockPools(tx: Tx, userId: UserId): Promise<ReadonlySet<TokenId>> {
  const { rows } = await sql<{ token_id: TokenId }>`
    select p.token_id from pools p
     where p.token_id in ${stakedTokens(userId)} and p.rugged_at is null
     order by p.token_id for no key update of p`.execute(tx)
  return new Set(rows.map((row) => row.token_id))
}

/** Locks a player's account, after its pools: from now on nothing the player has moves. Returns their SOL. */
export async function lockAccount(tx: Tx, userId: UserId): Promise<Sol> {
  const row = await tx
    .selectFrom('accounts')
    .select('sol_balance')
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return new Decimal(row.sol_balance)
}

/** A player's SOL, read without a lock. */
export async function findBalance(db: Reader, userId: UserId): Promise<Sol> {
  const row = await db
    .selectFrom('accounts')
    .select('sol_balance')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return new Decimal(row.sol_balance)
}

/** The open pools that a player has something in. */
export async function findStakes(db: Reader, userId: UserId): Promise<PoolStake[]> {
  const { rows } = await sql<StakeRow>`
    select p.token_id, p.sol_reserve, p.virtual_sol, p.token_reserve, coalesce(h.amount, 0) as amount,
           t.creator_id = ${userId} as is_own
      from pools p
      join tokens t on t.id = p.token_id
      left join holdings h on h.token_id = p.token_id and h.user_id = ${userId}
     where p.token_id in ${stakedTokens(userId)} and p.rugged_at is null`.execute(db)
  return rows.map((row) => ({
    tokenId: row.token_id,
    pool: {
      sol: new Decimal(row.sol_reserve),
      virtualSol: new Decimal(row.virtual_sol),
      tokens: new Decimal(row.token_reserve),
    },
    amount: new Decimal(row.amount),
    isOwn: row.is_own,
  }))
}

/** When a player last reset their account; null for never. */
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

interface StakeRow {
  readonly token_id: TokenId
  readonly sol_reserve: string
  readonly virtual_sol: string
  readonly token_reserve: string
  readonly amount: string
  readonly is_own: boolean
}
