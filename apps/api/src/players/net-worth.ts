import { Decimal, FEE_RATE, type Sol, solText, VIRTUAL_SOL } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, type RawBuilder, sql } from 'kysely'

// What a player could take out, in SQL: a player may have thousands of tokens, at a hundred moments of a chart.

const FEE = sql`${FEE_RATE.toFixed()}::numeric`
/** Every pool's; the row of a rugged pool has lost it. */
export const VIRTUAL = sql`${solText(VIRTUAL_SOL)}::numeric`

type Expression = RawBuilder<unknown>

/**
 * `cashOutValue` of the market maker: gross is ⌊S·t / (T + t)⌋₉, the fee ⌈gross · rate⌉₉. `div` and `ceil` are exact on
 * numerics.
 */
export function cashOutSql(pool: { sol: Expression; tokens: Expression }, amount: Expression): Expression {
  const gross = sql`div(${pool.sol} * ${amount} * 1000000000, ${pool.tokens} + ${amount})`
  return sql`((${gross} - ceil(${gross} * ${FEE})) * 0.000000001)`
}

/** The columns of a stake; `sol` may have more than 9 decimals where a pool was rebuilt from a price. */
export interface StakeColumns {
  readonly sol: Expression
  readonly virtualSol: Expression
  readonly tokens: Expression
  readonly amount: Expression
  readonly isOwn: Expression
}

/** `stakeWorth` of the market maker for a pool that is open or, with all its SOL gone, rugged. */
export function stakeWorthSql({ sol, virtualSol, tokens, amount, isOwn }: StakeColumns): Expression {
  return sql`case when ${isOwn} then greatest(trunc(${sol} - ${virtualSol}, 9), 0)
                  when ${amount} > 0 then ${cashOutSql({ sol, tokens }, amount)} else 0 end`
}

/** What selling a holding `h` into its pool `p` now would pay. */
export const CASH_OUT = cashOutSql({ sol: sql`p.sol_reserve`, tokens: sql`p.token_reserve` }, sql`h.amount`)

const WORTH = stakeWorthSql({
  sol: sql`p.sol_reserve`,
  virtualSol: sql`p.virtual_sol`,
  tokens: sql`p.token_reserve`,
  amount: sql`coalesce(h.amount, 0)`,
  isOwn: sql`own.is_own`,
})

/** The tokens that a player holds or launched. */
export function stakedTokens(userId: UserId): Expression {
  return sql`(select token_id from holdings where user_id = ${userId} and amount > 0
              union select id from tokens where creator_id = ${userId})`
}

/** What a player could have in SOL now, and where it is. */
export interface NetWorth {
  /** `balance` + `cashOut` + `ownPools`. */
  readonly netWorth: Sol
  readonly balance: Sol
  /** What selling each holding of a token that another launched would pay, after the fee. */
  readonly cashOut: Sol
  /** The real SOL in the open pools of tokens that the player launched. */
  readonly ownPools: Sol
  /** What selling what the player holds of those would pay: a part of `ownPools`, never a sum with it. */
  readonly ownBags: Sol
  readonly openPools: number
  /** Tokens held, and how many of them others launched. */
  readonly holdings: number
  readonly foreignHoldings: number
}

/** A player's net worth, exact: over everything they hold or launched, listed or not. */
export async function findNetWorth(db: Kysely<Database>, userId: UserId): Promise<NetWorth> {
  const { rows } = await sql<NetWorthRow>`
    select (select sol_balance from accounts where user_id = ${userId}) as sol_balance,
           coalesce(sum(${WORTH}) filter (where not is_own), 0) as cash_out,
           coalesce(sum(${WORTH}) filter (where is_own), 0) as own_pools,
           coalesce(sum(${CASH_OUT}) filter (where is_own and h.amount > 0), 0) as own_bags,
           (count(*) filter (where is_own and p.rugged_at is null))::int as open_pools,
           (count(*) filter (where h.amount > 0))::int as holdings,
           (count(*) filter (where h.amount > 0 and not is_own))::int as foreign_holdings
      from ${stakedTokens(userId)} staked
      join tokens t on t.id = staked.token_id
      join pools p on p.token_id = staked.token_id
      left join holdings h on h.token_id = staked.token_id and h.user_id = ${userId},
      lateral (select t.creator_id = ${userId} as is_own) own`.execute(db)
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
  readonly open_pools: number
  readonly holdings: number
  readonly foreign_holdings: number
}
