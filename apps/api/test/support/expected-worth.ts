import { Decimal, launchPool, netWorth, rugPool, type Sol, type Stake, VIRTUAL_SOL } from '@papermoon/amm'
import type { TestDatabase } from '@papermoon/db/testing'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

export interface ExpectedWorth {
  readonly balance: Sol
  readonly netWorth: Sol
}

/** Computes a player's current net worth from the rows and the market maker's formula. */
export async function worthByRows({ db }: Pick<TestDatabase, 'db'>, userId: UserId): Promise<ExpectedWorth> {
  const { rows } = await sql<PoolRow>`
    select p.sol_reserve, p.virtual_sol, p.token_reserve, coalesce(h.amount, 0) as amount, t.creator_id = ${userId} as is_own
      from pools p join tokens t on t.id = p.token_id
      left join holdings h on h.token_id = p.token_id and h.user_id = ${userId}
     where t.creator_id = ${userId} or h.amount > 0`.execute(db)
  const account = await db.selectFrom('accounts').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
  const balance = new Decimal(account.sol_balance)
  const stakes = rows.map(({ sol_reserve, virtual_sol, token_reserve, amount, is_own }) => ({
    pool: { sol: new Decimal(sol_reserve), virtualSol: new Decimal(virtual_sol), tokens: new Decimal(token_reserve) },
    amount: new Decimal(amount),
    isOwn: is_own,
  }))
  return { balance, netWorth: netWorth(balance, stakes) }
}

interface PoolRow {
  readonly sol_reserve: string
  readonly virtual_sol: string
  readonly token_reserve: string
  readonly amount: string
  readonly is_own: boolean
}

/**
 * Computes a player's net worth right before a moment from all journal entries and the market maker's formula, without
 * any optimization.
 */
export async function worthByJournal(
  { db }: Pick<TestDatabase, 'db'>,
  userId: UserId,
  before: Date,
): Promise<ExpectedWorth> {
  const was = <Row extends { created_at: Date }>(rows: Row[]) => rows.filter(({ created_at }) => created_at < before)
  const grants = was(await db.selectFrom('grants').selectAll().where('user_id', '=', userId).execute())
  const trades = was(await db.selectFrom('trades').selectAll().orderBy('token_id').orderBy('seq').execute())
  const rugs = was(await db.selectFrom('rugs').selectAll().execute())
  const tokens = was(await db.selectFrom('tokens').selectAll().execute())
  const stakes = new Map<number, Stake>()
  let balance = sum(grants.map(({ amount }) => amount))
  for (const { id, creator_id, launch_fee } of tokens) {
    const isOwn = creator_id === userId
    if (isOwn) balance = balance.sub(launch_fee)
    stakes.set(id, { pool: launchPool(), amount: new Decimal(0), isOwn })
  }
  for (const { token_id, user_id, side, sol_amount, token_amount, sol_reserve, token_reserve } of trades) {
    const stake = stakes.get(token_id)
    if (stake === undefined) throw new Error('a trade of no token')
    const pool = { sol: new Decimal(sol_reserve), virtualSol: VIRTUAL_SOL, tokens: new Decimal(token_reserve) }
    const [sol, amount] = side === 'buy' ? [`-${sol_amount}`, token_amount] : [sol_amount, `-${token_amount}`]
    const isPlayers = user_id === userId
    if (isPlayers) balance = balance.add(sol)
    stakes.set(token_id, { ...stake, pool, amount: isPlayers ? stake.amount.add(amount) : stake.amount })
  }
  for (const { token_id, user_id, amount } of rugs) {
    const stake = stakes.get(token_id)
    if (stake === undefined) throw new Error('a rug of no token')
    if (user_id === userId) balance = balance.add(amount)
    stakes.set(token_id, { ...stake, pool: rugPool(stake.pool).pool })
  }
  return { balance, netWorth: netWorth(balance, [...stakes.values()]) }
}

function sum(texts: readonly string[]): Decimal {
  return texts.reduce((total, text) => total.add(text), new Decimal(0))
}
