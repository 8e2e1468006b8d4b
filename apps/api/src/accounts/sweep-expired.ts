import type { Database, Db } from '@papermoon/db'
import { sql } from 'kysely'
import { DAY_MS } from '../lib/durations.ts'

/** How long an account's events are kept, and for how long a browser is known. */
export const RECORDS_KEPT_MS = 90 * DAY_MS
const BATCH = 1_000
const BATCHES_MAX = 100

interface Expiring {
  readonly table: keyof Database
  readonly column: 'expires_at' | 'at' | 'last_seen_at'
  /** How long after the column's time a row is deleted. */
  readonly keptMs: number
}

const EXPIRING: readonly Expiring[] = [
  { table: 'sessions', column: 'expires_at', keptMs: 0 },
  { table: 'password_resets', column: 'expires_at', keptMs: 0 },
  { table: 'passkey_challenges', column: 'expires_at', keptMs: 0 },
  { table: 'email_links', column: 'expires_at', keptMs: 0 },
  // Their challenges are expired too, and refused anyway.
  { table: 'spent_proofs', column: 'expires_at', keptMs: 0 },
  { table: 'account_events', column: 'at', keptMs: RECORDS_KEPT_MS },
  { table: 'account_browsers', column: 'last_seen_at', keptMs: RECORDS_KEPT_MS },
]

/** Deletes expired rows of accounts, in bounded batches; the rest is left to the next sweep. */
export async function sweepExpired(db: Db, now: Date): Promise<void> {
  for (const { table, column, keptMs } of EXPIRING) {
    const end = new Date(now.getTime() - keptMs)
    const [rows, time] = [sql.table(table), sql.ref(column)]
    for (let batch = 0; batch < BATCHES_MAX; batch++) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${rows} where ctid = any(array(
          select ctid from ${rows} where ${time} <= ${end} order by ${time} limit ${BATCH}))`.execute(db)
      if (numAffectedRows < BATCH) break
    }
  }
}
