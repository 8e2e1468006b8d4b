import {
  cashOutValue,
  Decimal,
  type Pool,
  type Price,
  realSol,
  type Sol,
  solText,
  type Tokens,
  tokensText,
} from '@papermoon/amm'
import { type Db, type PoolsTable, PREPARED } from '@papermoon/db'
import type { PoolState, TokenId, UserId } from '@papermoon/engine'
import { type Selectable, sql } from 'kysely'
import { visibleTokens } from '../../database/conditions.ts'
import { CASH_OUT } from './net-worth.ts'

/**
 * Max number of holdings in a response. If a player has more holdings, the response contains the most valuable ones.
 */
export const HOLDINGS_MAX = 1_000

/** A player's holding of a token and its value. */
export interface Holding {
  readonly tokenId: TokenId
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly amount: Tokens
  /** SOL paid for the holding, including fees, at average cost. */
  readonly cost: Sol
  readonly price: Price
  readonly pool: Pool
  /** Value in SOL for display: amount × price, rounded down to 9 decimals. */
  readonly value: Sol
  /** SOL that the player would get for selling the whole holding now, after the fee. */
  readonly cashOut: Sol
  readonly ruggedAt: Date | null
  /** Time until which the creator cannot rug the token. Null if the token was never sealed. */
  readonly sealedUntil: Date | null
  /** Whether the token is listed; false if an operator has hidden it. */
  readonly isListed: boolean
}

/** Sums of all of a player's holdings, including hidden tokens. */
export interface HoldingsSum {
  readonly count: number
  /** Sum of the displayed values in SOL. */
  readonly value: Sol
  readonly cost: Sol
  /** SOL that the player would get for selling each holding alone, after the fee. */
  readonly cashOut: Sol
}

/**
 * SQL for a holding's displayed value in SOL. Each value is rounded before adding, so that the total equals the sum of
 * the displayed values.
 */
const markValue = sql`trunc(h.amount * p.price, 9)`

/** The player who reads the holdings. Only a hidden token's holders can see it. */
export type Reader = 'holder' | 'public'

/** Finds a player's holdings by displayed value, largest first, at most `HOLDINGS_MAX`. */
export async function findHoldings(db: Db, userId: UserId, reader: Reader): Promise<Holding[]> {
  const tokens = reader === 'holder' ? sql.table('tokens') : visibleTokens
  const { rows } = await sql<HoldingRow>`${PREPARED}
    select h.token_id, t.name, t.symbol, t.emoji, h.amount, h.cost, p.price, ${markValue} as value,
           p.sol_reserve, p.virtual_sol, p.token_reserve, p.rugged_at, p.sealed_until,
           t.hidden_at is null as is_listed
      from holdings h join ${tokens} t on t.id = h.token_id join pools p on p.token_id = h.token_id
     where h.user_id = ${userId} and h.amount > 0
     order by value desc, h.token_id limit ${HOLDINGS_MAX}`.execute(db)
  return rows.map(toHolding)
}

export async function sumHoldings(db: Db, userId: UserId): Promise<HoldingsSum> {
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

/** Returns a holding's fields that appear in every list. */
export function toShownHolding({ tokenId, name, symbol, emoji, amount, cashOut, ruggedAt, sealedUntil }: Holding) {
  return {
    tokenId,
    tokenName: name,
    tokenSymbol: symbol,
    emoji,
    amount: tokensText(amount),
    cashOutValue: solText(cashOut),
    ruggedAt: ruggedAt?.toISOString() ?? null,
    sealedUntil: sealedUntil?.toISOString() ?? null,
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
  readonly sealed_until: Date | null
  readonly is_listed: boolean
}

function toHolding(row: HoldingRow): Holding {
  const { name, symbol, emoji } = row
  const amount = new Decimal(row.amount)
  const pool = toPool(row)
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
    sealedUntil: row.sealed_until,
    isListed: row.is_listed,
  }
}

/** Formats a pool's reserves for the API. */
export function toPoolState(pool: Pool): PoolState {
  return { solReserve: solText(pool.sol), tokenReserve: tokensText(pool.tokens), realSol: solText(realSol(pool)) }
}

/** Converts columns of `pools` to a pool. */
export function toPool(row: Pick<Selectable<PoolsTable>, 'sol_reserve' | 'virtual_sol' | 'token_reserve'>): Pool {
  return {
    sol: new Decimal(row.sol_reserve),
    virtualSol: new Decimal(row.virtual_sol),
    tokens: new Decimal(row.token_reserve),
  }
}
