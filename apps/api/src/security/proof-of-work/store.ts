import type { Database } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'

type Reader = Kysely<Database>

/** Uses up a proof, once over all nodes; false when it was used before. */
export async function spendProof(db: Reader, nonce: Buffer, expiresAt: Date): Promise<boolean> {
  const row = await db
    .insertInto('spent_proofs')
    .values({ nonce, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('nonce').doNothing())
    .returning('nonce')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the proofs whose puzzles have expired: nobody can use those again. */
export async function deleteExpiredProofs(db: Reader, now: Date): Promise<void> {
  await db.deleteFrom('spent_proofs').where('expires_at', '<=', now).execute()
}

/** What all callers of all nodes may do together in a time. */
interface Budget {
  readonly name: string
  /** Of a window, which begins with the first call after the last one. */
  readonly lengthMs: number
}

/** What is spent of a budget in its window. */
export async function findBudgetSpent(db: Reader, { name, lengthMs }: Budget, now: Date): Promise<number> {
  const row = await db
    .selectFrom('shared_budgets')
    .select('spent')
    .where('name', '=', name)
    .where('began_at', '>', new Date(now.getTime() - lengthMs))
    .executeTakeFirst()
  return row?.spent ?? 0
}

interface Spending extends Budget {
  /** A negative one gives back. */
  readonly amount: number
}

/** Spends of a budget; returns what is spent in its window then. */
export async function spendBudget(db: Reader, { name, lengthMs, amount }: Spending, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - lengthMs)
  const { rows } = await sql<{ spent: number }>`
    insert into shared_budgets as b (name, began_at, spent) values (${name}, ${now}, ${Math.max(0, amount)})
    on conflict (name) do update set
      began_at = case when b.began_at <= ${oldest} then excluded.began_at else b.began_at end,
      spent = greatest(0, case when b.began_at <= ${oldest} then 0 else b.spent end + ${amount}::integer)
    returning spent`.execute(db)
  return rows[0]?.spent ?? 0
}
