import type { Db } from '@papermoon/db'
import { sql } from 'kysely'

/** Marks a proof as spent, which is possible once on all nodes. Returns false if it was already spent. */
export async function spendProof(db: Db, nonce: Buffer, expiresAt: Date): Promise<boolean> {
  const row = await db
    .insertInto('spent_proofs')
    .values({ nonce, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('nonce').doNothing())
    .returning('nonce')
    .executeTakeFirst()
  return row !== undefined
}

/** A limit that all callers on all nodes share. */
interface Budget {
  readonly name: string
  /** Length of a giveaway window in ms. A window begins with the first call after the previous window. */
  readonly lengthMs: number
}

/** Returns the amount spent in the budget's current window. */
export async function findBudgetSpent(db: Db, { name, lengthMs }: Budget, now: Date): Promise<number> {
  const row = await db
    .selectFrom('shared_budgets')
    .select('spent')
    .where('name', '=', name)
    .where('began_at', '>', new Date(now.getTime() - lengthMs))
    .executeTakeFirst()
  return row?.spent ?? 0
}

interface BudgetCharge extends Budget {
  /** Amount to add to the budget, or to refund if negative. */
  readonly amount: number
}

/** Adds an amount to a budget. Returns the total amount of the current window. */
export async function spendBudget(db: Db, { name, lengthMs, amount }: BudgetCharge, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - lengthMs)
  const { rows } = await sql<{ spent: number }>`
    insert into shared_budgets as b (name, began_at, spent) values (${name}, ${now}, ${Math.max(0, amount)})
    on conflict (name) do update set
      began_at = case when b.began_at <= ${oldest} then excluded.began_at else b.began_at end,
      spent = greatest(0, case when b.began_at <= ${oldest} then 0 else b.spent end + ${amount}::integer)
    returning spent`.execute(db)
  return rows[0]?.spent ?? 0
}
