import { cashOutValue, Decimal, type Pool, type Price, type Sol, type Tokens } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { visibleTokens } from '../database/visible-tokens.ts'
import { CASH_OUT } from './net-worth.ts'

/** Most holdings that one answer lists: the most valuable ones. */
export const HOLDINGS_MAX = 1_000

/** What a player holds of a token and what that is worth. */
export interface Holding {
  readonly tokenId: TokenId
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly amount: Tokens
  /** SOL paid for it, fees included (average cost). */
  readonly cost: Sol
  readonly price: Price
  readonly pool: Pool
  /** Mark value: amount × price, cut to 9 decimals. Down: for display only. */
  readonly value: Sol
  /** What selling it all now would pay, after the fee. */
  readonly cashOut: Sol
  readonly ruggedAt: Date | null
  /** False where an operator has hidden the token. */
  readonly isListed: boolean
}

/** All of a player's holdings together, listed or not. */
export interface HoldingsSum {
  readonly count: number
  /** Sum of the mark values. */
  readonly value: Sol
  readonly cost: Sol
  /** What selling each of them by itself would pay, after the fee. */
  readonly cashOut: Sol
}

/** Mark value in SOL: the one place that says how it is rounded, so that a sum of all is the sum of those shown. */
const markValue = sql`trunc(h.amount * p.price, 9)`

/** Who reads: what an operator has hidden is shown to those who hold it, since they may still sell it, and to nobody else. */
export type Reader = 'holder' | 'public'

/** What a player holds, by mark value, largest first, at most `HOLDINGS_MAX`. */
export async function findHoldings(db: Kysely<Database>, userId: UserId, reader: Reader): Promise<Holding[]> {
  const tokens = reader === 'holder' ? sql.table('tokens') : visibleTokens
  const { rows } = await sql<HoldingRow>`
    select h.token_id, t.name, t.symbol, t.emoji, h.amount, h.cost, p.price, ${markValue} as value,
           p.sol_reserve, p.virtual_sol, p.token_reserve, p.rugged_at,
           t.hidden_at is null as is_listed
      from holdings h join ${tokens} t on t.id = h.token_id join pools p on p.token_id = h.token_id
     where h.user_id = ${userId} and h.amount > 0
     order by value desc, h.token_id limit ${HOLDINGS_MAX}`.execute(db)
  return rows.map(toHolding)
}

/** The sums over everything a player holds. */
export async function sumHoldings(db: Kysely<Database>, userId: UserId): Promise<HoldingsSum> {
  const { rows } = await sql<{ count: number; value: string; cost: string; cash_out: string }>`
    select count(*)::int as count, coalesce(sum(${markValue}), 0) as value, coalesce(sum(h.cost), 0) as cost,
           coalesce(sum(${CASH_OUT}), 0) as cash_out
      from holdings h join pools p on p.token_id = h.token_id
     where h.user_id = ${userId} and h.amount > 0`.execute(db)
  const [row] = rows
  return {
    count: row?.count ?? 0,
    value: new Decimal(row?.value ?? 0),
    cost: new Decimal(row?.cost ?? 0),
    cashOut: new Decimal(row?.cash_out ?? 0),
  }
}

interface HoldingRow {
  readonly token_id: number
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly amount: string
  readonly cost: string
  readonly price: string
  readonly value: string
  readonly sol_reserve: string
  readonly virtual_sol: string
  readonly token_reserve: string
  readonly rugged_at: Date | null
  readonly is_listed: boolean
}

function toHolding(row: HoldingRow): Holding {
  const { name, symbol, emoji } = row
  const amount = new Decimal(row.amount)
  const pool = {
    sol: new Decimal(row.sol_reserve),
    virtualSol: new Decimal(row.virtual_sol),
    tokens: new Decimal(row.token_reserve),
  }
  return {
    tokenId: row.token_id as TokenId,
    name,
    symbol,
    emoji,
    amount,
    cost: new Decimal(row.cost),
    price: new Decimal(row.price),
    pool,
    value: new Decimal(row.value),
    cashOut: cashOutValue(pool, amount),
    ruggedAt: row.rugged_at,
    isListed: row.is_listed,
  }
}
