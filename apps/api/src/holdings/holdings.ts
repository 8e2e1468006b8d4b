import {
  cashOutValue,
  Decimal,
  type Pool,
  type Price,
  type Sol,
  solText,
  type Tokens,
  tokensText,
} from '@papermoon/amm'
import { type Db, PREPARED } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { visibleTokens } from '../database/visible-tokens.ts'
import { CASH_OUT } from './net-worth.ts'
import { toPool } from './pool-state.ts'

/** Max holdings in one answer: the most valuable ones. */
export const HOLDINGS_MAX = 1_000

/** A player's holding of a token and its worth. */
export interface Holding {
  readonly tokenId: TokenId
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly amount: Tokens
  /** SOL paid for it, fees included, at average cost. */
  readonly cost: Sol
  readonly price: Price
  readonly pool: Pool
  /** Mark value: amount × price, rounded down to 9 decimals; for display only. */
  readonly value: Sol
  /** SOL for selling all of it now, after the fee. */
  readonly cashOut: Sol
  readonly ruggedAt: Date | null
  /** Before then its creator cannot rug it; null: never sealed. */
  readonly sealedUntil: Date | null
  /** False if an operator has hidden the token. */
  readonly isListed: boolean
}

/** Sums over all of a player's holdings, of hidden tokens too. */
export interface HoldingsSum {
  readonly count: number
  /** Sum of the mark values. */
  readonly value: Sol
  readonly cost: Sol
  /** SOL for selling each of them separately, after the fee. */
  readonly cashOut: Sol
}

/** Mark value in SOL. Rounded per holding, so that the total equals the sum of the values shown. */
const markValue = sql`trunc(h.amount * p.price, 9)`

/** Holders see their hidden tokens, since they may still sell them; others do not. */
export type Reader = 'holder' | 'public'

/** A player's holdings by mark value, largest first, at most `HOLDINGS_MAX`. */
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

/** What every list shows of a holding. */
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
