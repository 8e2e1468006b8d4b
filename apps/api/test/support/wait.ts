import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'

/**
 * Max time that a test waits for a fact. It only keeps a test from hanging: a loaded machine takes seconds, and a place of the
 * journal settles after 45 s at the latest, since open transactions of other tests' databases count.
 */
export const WAIT_MAX_MS = 120_000

/** Waits until so many statements of a test's database wait for locks. */
export async function waitForLocked(db: Db, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    expect(rows).toHaveLength(count)
  }, WAIT_MAX_MS)
}
