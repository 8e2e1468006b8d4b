import type { Database, Db } from '@papermoon/db'
import { sql } from 'kysely'
import { DAY_MS } from '../../lib/durations.ts'

/** How long account events and known browsers are stored, in ms. */
export const RECORDS_STORED_MS = 90 * DAY_MS
const BATCH = 1_000
const BATCHES_MAX = 100

interface Expiring {
  readonly table: keyof Database
  readonly column: 'expires_at' | 'at' | 'last_seen_at'
  /** How long after the column's time a row is deleted, in ms. */
  readonly storedMs: number
}

const EXPIRING: readonly Expiring[] = [
  { table: 'sessions', column: 'expires_at', storedMs: 0 },
  { table: 'password_resets', column: 'expires_at', storedMs: 0 },
  { table: 'passkey_challenges', column: 'expires_at', storedMs: 0 },
  { table: 'email_links', column: 'expires_at', storedMs: 0 },
  // Spent proofs can be deleted at once, because their challenges have expired and are rejected anyway.
  { table: 'spent_proofs', column: 'expires_at', storedMs: 0 },
  { table: 'account_events', column: 'at', storedMs: RECORDS_STORED_MS },
  { table: 'account_browsers', column: 'last_seen_at', storedMs: RECORDS_STORED_MS },
]

/** Deletes expired rows about accounts, in batches of limited size. The next sweep deletes the rest. */
export async function sweepExpired(db: Db, now: Date): Promise<void> {
  for (const { table, column, storedMs } of EXPIRING) {
    const end = new Date(now.getTime() - storedMs)
    const [rows, time] = [sql.table(table), sql.ref(column)]
    for (let batch = 0; batch < BATCHES_MAX; batch++) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${rows} where ctid = any(array(
          select ctid from ${rows} where ${time} <= ${end} order by ${time} limit ${BATCH}))`.execute(db)
      if (numAffectedRows < BATCH) break
    }
  }
}
