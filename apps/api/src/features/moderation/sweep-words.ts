import type { Db } from '@papermoon/db'
import { sql } from 'kysely'

const STORED_DAYS = 365

/**
 * Deletes the texts, reasons and notes of acts, cases and reports that are over a year old. The log's chain stays
 * intact.
 */
export async function sweepModerationWords(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - STORED_DAYS * 24 * 3_600_000)
  await sql`
    delete from moderation_words w using moderation_log l where l.id = w.log_id and l.at < ${before}`.execute(db)
  await sql`
    delete from reports r using cases c where c.id = r.case_id and c.decided_at < ${before}`.execute(db)
  await sql`update cases set words = '' where decided_at < ${before} and words <> ''`.execute(db)
  await sql`delete from appeals where decided_at < ${before}`.execute(db)
  await sql`delete from mutes where until < ${now}`.execute(db)
}
