import { Decimal, launchPool, netWorth, rugPool, type Sol, type Stake, VIRTUAL_SOL } from '@papermoon/amm'
import type { TestDatabase } from '@papermoon/db/testing'
import type { UserId } from '../src/ids.ts'

export interface JournalWorth {
  readonly balance: Sol
  readonly netWorth: Sol
}

/** A player's net worth right before a moment, from the journal entry by entry and the market maker's formula: slow and plain. */
export async function worthByJournal(
  { db }: Pick<TestDatabase, 'db'>,
  userId: UserId,
  before: Date,
): Promise<JournalWorth> {
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
