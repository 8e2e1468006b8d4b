import { findHeads, findPublication, publishHeads, rewriteChain, startOfHour } from '@papermoon/api/testing'
import type { TestDatabase } from '@papermoon/db/testing'

/** Later than any hour the server under test publishes by itself. */
const AHEAD_MS = 5 * 3_600_000

interface Plan {
  /** A token whose second trade was changed without updating hashes. */
  readonly changed: number
  /** A token whose second trade was changed, with all later hashes recomputed. */
  readonly rewritten: number
  /** A player whose balance was lowered by 7 SOL. */
  readonly stolenFrom: string
}

/** Publishes the heads of all chains, then tampers with the data. Returns the heads as published. */
export async function rewriteHistory(
  database: TestDatabase,
  { changed, rewritten, stolenFrom }: Plan,
): Promise<string> {
  const { db, pool } = database
  const hour = startOfHour(new Date(Date.now() + AHEAD_MS))
  await publishHeads(db, hour)
  const publication = await findPublication(db, hour)
  const heads = await findHeads(db, hour, { after: 0, limit: 10 })
  const figures = 'update trades set sol_amount = sol_amount + 1 where token_id = $1 and seq = 2'
  await pool.query(figures, [changed])
  await pool.query(figures, [rewritten])
  await rewriteChain(database, rewritten)
  const theft = `update accounts set sol_balance = sol_balance - 7
    where user_id = (select id from users where username = $1)`
  await pool.query(theft, [stolenFrom])
  return JSON.stringify({ ...publication, heads })
}
