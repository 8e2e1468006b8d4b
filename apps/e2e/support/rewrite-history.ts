import { findHeads, findPublication, publishHeads, rewriteChain, startOfHour } from '@papermoon/api/testing'
import type { TestDatabase } from '@papermoon/db/testing'

/** Ahead of any hour that a server under test could publish by itself. */
const AHEAD_MS = 5 * 3_600_000

interface Plan {
  /** A token whose second trade gets another amount, clumsily. */
  readonly changed: number
  /** A token whose second trade gets another amount, and all hashes behind it too. */
  readonly rewritten: number
  /** The player who loses 7 SOL. */
  readonly stolenFrom: string
}

/** Publishes the heads of all chains and then does what was never to be done. Returns the copy that somebody kept before. */
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
