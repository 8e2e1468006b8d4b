import { Decimal, FEE_RATE, type Sol, solText, VIRTUAL_SOL } from '@papermoon/amm'
import { FOREVER } from '@papermoon/contract/market-events'
import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'

// The formulas for the net worth are in SQL, because a chart needs them for thousands of tokens at a hundred points in
// time.

const FEE = sql`${FEE_RATE.toFixed()}::numeric`
/** SQL for the virtual SOL of every pool. The row of a rugged pool does not contain it. */
export const VIRTUAL = sql`${solText(VIRTUAL_SOL)}::numeric`

type Expression = RawBuilder<unknown>

/**
 * Returns SQL for `cashOutValue` of @papermoon/amm: gross = ⌊S·t / (T + t)⌋₉, fee = ⌈gross · rate⌉₉ (9 decimals). `div`
 * and `ceil` are exact on numerics.
 */
export function cashOutSql(pool: { sol: Expression; tokens: Expression }, amount: Expression): Expression {
  const gross = sql`div(${pool.sol} * ${amount} * 1000000000, ${pool.tokens} + ${amount})`
  return sql`((${gross} - ceil(${gross} * ${FEE})) * 0.000000001)`
}

/** SQL expressions for a player's stake; `sol` may have more than 9 decimals if the pool was computed from a price. */
export interface StakeColumns {
  readonly sol: Expression
  readonly virtualSol: Expression
  readonly tokens: Expression
  readonly amount: Expression
  readonly isOwn: Expression
}

/** Returns SQL for `stakeWorth` of @papermoon/amm, for an open or a rugged pool. */
export function stakeWorthSql({ sol, virtualSol, tokens, amount, isOwn }: StakeColumns): Expression {
  return sql`case when ${isOwn} then greatest(trunc(${sol} - ${virtualSol}, 9), 0)
                  when ${amount} > 0 then ${cashOutSql({ sol, tokens }, amount)} else 0 end`
}

/** SQL for the SOL that selling a holding `h` into its pool `p` would pay now. */
export const CASH_OUT = cashOutSql({ sol: sql`p.sol_reserve`, tokens: sql`p.token_reserve` }, sql`h.amount`)

const WORTH = stakeWorthSql({
  sol: sql`p.sol_reserve`,
  virtualSol: sql`p.virtual_sol`,
  tokens: sql`p.token_reserve`,
  amount: sql`coalesce(h.amount, 0)`,
  isOwn: sql`own.is_own`,
})

/**
 * Returns SQL for whether a token's liquidity was sealed at a certain time. While the liquidity was sealed, the creator
 * could not take it.
 */
export function wasSealedAt(tokenId: Expression, at: Expression): Expression {
  return sql`exists (select from seals seal where seal.token_id = ${tokenId} and seal.created_at < ${at} and seal.until > ${at})`
}

/** Returns SQL for the tokens that a player holds or launched. */
export function stakedTokens(userId: UserId): Expression {
  return sql`(select token_id from holdings where user_id = ${userId} and amount > 0
              union select id from tokens where creator_id = ${userId})`
}

/** A player's net worth in SOL and its parts. */
export interface NetWorth {
  /** The sum of `balance`, `cashOut` and `ownPools`. */
  readonly netWorth: Sol
  readonly balance: Sol
  /**
   * SOL that selling the holdings would pay, after the fee. Tokens of the player's own open pools count only if their
   * liquidity is sealed.
   */
  readonly cashOut: Sol
  /** Real SOL in those of the player's own open pools that are not sealed. */
  readonly ownPools: Sol
  /** SOL that selling the player's own tokens would pay. `ownPools` already includes this SOL, so never add both. */
  readonly ownBags: Sol
  readonly openPools: number
  /**
   * SOL in the pools that the player sealed for a limited time, minus the cash-out value of the player's own tokens. No
   * other part includes this SOL, because the player can take it only when the seals end.
   */
  readonly sealedPools: Sol
  /** Number of tokens that the player holds; `foreignHoldings` counts those that others launched. */
  readonly holdings: number
  readonly foreignHoldings: number
}

/** Finds a player's exact net worth over all tokens that they hold or launched, including hidden ones. */
export async function findNetWorth(db: Db, userId: UserId): Promise<NetWorth> {
  const { rows } = await sql<NetWorthRow>`
    select (select sol_balance from accounts where user_id = ${userId}) as sol_balance,
           coalesce(sum(${WORTH}) filter (where not is_own), 0) as cash_out,
           coalesce(sum(${WORTH}) filter (where is_own), 0) as own_pools,
           coalesce(sum(${CASH_OUT}) filter (where is_own and h.amount > 0), 0) as own_bags,
           coalesce(sum(greatest(p.sol_reserve - p.virtual_sol - ${WORTH}, 0))
             filter (where t.creator_id = ${userId} and not is_own and p.sealed_until < ${FOREVER}::timestamptz), 0) as sealed_pools,
           (count(*) filter (where is_own and p.rugged_at is null))::int as open_pools,
           (count(*) filter (where h.amount > 0))::int as holdings,
           (count(*) filter (where h.amount > 0 and not is_own))::int as foreign_holdings
      from ${stakedTokens(userId)} staked
      join tokens t on t.id = staked.token_id
      join pools p on p.token_id = staked.token_id
      left join holdings h on h.token_id = staked.token_id and h.user_id = ${userId},
      lateral (select t.creator_id = ${userId} and not coalesce(p.sealed_until > now(), false) as is_own) own`.execute(
    db,
  )
  const [row] = rows
  if (row?.sol_balance == null) throw new Error('every player has an account')
  const balance = new Decimal(row.sol_balance)
  const cashOut = new Decimal(row.cash_out)
  const ownPools = new Decimal(row.own_pools)
  return {
    netWorth: balance.add(cashOut).add(ownPools),
    balance,
    cashOut,
    ownPools,
    ownBags: new Decimal(row.own_bags),
    sealedPools: new Decimal(row.sealed_pools),
    openPools: row.open_pools,
    holdings: row.holdings,
    foreignHoldings: row.foreign_holdings,
  }
}

interface NetWorthRow {
  readonly sol_balance: string | null
  readonly cash_out: string
  readonly own_pools: string
  readonly own_bags: string
  readonly sealed_pools: string
  readonly open_pools: number
  readonly holdings: number
  readonly foreign_holdings: number
}
