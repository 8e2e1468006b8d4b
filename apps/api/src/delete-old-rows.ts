import type { Database, Db } from '@papermoon/db'
import { sql } from 'kysely'
import { DAY_MS } from './lib/durations.ts'

/** How long account events and known browsers are stored, in ms. */
export const RECORDS_STORED_MS = 90 * DAY_MS
/** How long texts, reasons and notes of moderation are stored, in ms. The log's hash chain stays valid without them. */
const WORDS_STORED_MS = 365 * DAY_MS
const BATCH = 1_000
const BATCHES_MAX = 100

interface OldRows {
  readonly table: keyof Database
  /** SQL for the time from which a row's retention period counts. A row is never deleted if this time is null. */
  readonly time: string
  /** How long a row is stored, in ms. */
  readonly storedMs: number
}

const OLD_ROWS: readonly OldRows[] = [
  { table: 'sessions', time: 'expires_at', storedMs: 0 },
  { table: 'password_resets', time: 'expires_at', storedMs: 0 },
  { table: 'passkey_challenges', time: 'expires_at', storedMs: 0 },
  { table: 'email_links', time: 'expires_at', storedMs: 0 },
  // Used proofs of work can be deleted at once, because their challenges have expired and are rejected anyway.
  { table: 'spent_proofs', time: 'expires_at', storedMs: 0 },
  { table: 'mutes', time: 'until', storedMs: 0 },
  // Login attempts count for one day, so a list without attempts can be deleted at once.
  { table: 'totp_tries', time: "coalesce(tried_at[cardinality(tried_at)], '-infinity')", storedMs: DAY_MS },
  {
    table: 'password_reset_guesses',
    time: "coalesce(guessed_at[cardinality(guessed_at)], '-infinity')",
    storedMs: DAY_MS,
  },
  { table: 'notice_causes', time: 'last_at', storedMs: 30 * DAY_MS },
  { table: 'account_events', time: 'at', storedMs: RECORDS_STORED_MS },
  { table: 'account_browsers', time: 'last_seen_at', storedMs: RECORDS_STORED_MS },
  // A guest's games are stored for as long as the guest's cookie is valid.
  { table: 'tape_plays', time: 'case when browser_hash is not null then started_at end', storedMs: 90 * DAY_MS },
  {
    table: 'moderation_words',
    time: '(select l.at from moderation_log l where l.id = log_id)',
    storedMs: WORDS_STORED_MS,
  },
  { table: 'reports', time: '(select c.decided_at from cases c where c.id = case_id)', storedMs: WORDS_STORED_MS },
  { table: 'appeals', time: 'decided_at', storedMs: WORDS_STORED_MS },
]

/** Deletes rows that were stored long enough, in batches of limited size. The next call deletes the remaining rows. */
export async function deleteOldRows(db: Db, now: Date): Promise<void> {
  const before = (storedMs: number) => new Date(now.getTime() - storedMs)
  for (const { table, time, storedMs } of OLD_ROWS) {
    const [rows, at] = [sql.table(table), sql.raw(time)]
    for (let batch = 0; batch < BATCHES_MAX; batch++) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${rows} where ctid = any(array(
          select ctid from ${rows} where ${at} <= ${before(storedMs)} order by ${at} limit ${BATCH}))`.execute(db)
      if (numAffectedRows < BATCH) break
    }
  }
  await sql`
    update cases set words = '' where decided_at < ${before(WORDS_STORED_MS)} and words <> ''`.execute(db)
}
