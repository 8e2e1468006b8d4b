import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'

/**
 * Max time to wait for a condition. It only prevents a test from hanging. A loaded machine takes seconds, and a journal
 * position takes up to 45 s to settle, because open transactions of other tests' databases delay it.
 */
export const WAIT_MAX_MS = 120_000

/** Waits until this many statements in a test's database wait for locks. */
export async function waitForLocked(db: Db, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    expect(rows).toHaveLength(count)
  }, WAIT_MAX_MS)
}
