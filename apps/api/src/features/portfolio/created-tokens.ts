import { Decimal, type Price, type Sol } from '@papermoon/amm'
import { type Db, PREPARED } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { visibleTokens } from '../../database/conditions.ts'

/**
 * Max number of a creator's tokens in a response. If a creator has more tokens, the response contains the newest ones.
 */
export const CREATED_MAX = 1_000

/** A token as listed on its creator's pages. */
export interface CreatedToken {
  readonly id: TokenId
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly createdAt: Date
  readonly price: Price
  /** The pool's real SOL, without its virtual SOL. */
  readonly liquidity: Sol
  readonly ruggedAt: Date | null
  /** Time until which the token cannot be rugged. Null if the token was never sealed. */
  readonly sealedUntil: Date | null
}

/** Finds at most `CREATED_MAX` visible tokens that a player launched, newest first. */
export async function findCreatedTokens(db: Db, userId: UserId): Promise<CreatedToken[]> {
  const rows = await db
    .selectFrom(visibleTokens.as('t'))
    .innerJoin('pools as p', 'p.token_id', 't.id')
    .select(['t.id', 't.name', 't.symbol', 't.emoji', 't.created_at'])
    .select(['p.price', 'p.sol_reserve', 'p.virtual_sol', 'p.rugged_at', 'p.sealed_until'])
    .where('t.creator_id', '=', userId)
    .orderBy('t.id', 'desc')
    .limit(CREATED_MAX)
    .modifyFront(PREPARED)
    .execute()
  return rows.map(({ id, name, symbol, emoji, ...row }) => ({
    id: id as TokenId,
    name,
    symbol,
    emoji,
    createdAt: row.created_at,
    price: new Decimal(row.price),
    liquidity: new Decimal(row.sol_reserve).sub(row.virtual_sol),
    ruggedAt: row.rugged_at,
    sealedUntil: row.sealed_until,
  }))
}
