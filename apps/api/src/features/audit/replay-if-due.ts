import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import type { AppPart } from '../../context.ts'
import { readDatabaseTime } from '../../database/time.ts'
import { type ChildScript, runChild } from '../../lib/run-child.ts'

/** Max time for a replay in ms, enough for more than a hundred million trades. */
const REPLAY_MAX_MS = 4 * 3_600_000

/** Max length of the stored output in characters. Only its end is stored, which contains the findings. */
const OUTPUT_CHARS_MAX = 20_000

const EXIT_DIFFERENCES = 1

type Parts = AppPart<'db' | 'log'> & { readonly platform: { readonly config: Pick<Config, 'auditEveryHours'> } }

/**
 * Replays the whole journal every `auditEveryHours` in a child process with the lowest priority, so that trading does
 * not wait. The child process makes sure that only one node replays at a time. Does nothing if the setting is 0.
 */
export async function replayIfDue(parts: Parts, script: ChildScript, stopping: AbortSignal): Promise<void> {
  const { db, config, log } = parts.platform
  if (config.auditEveryHours === 0) return
  if (!(await isAuditDue(db, config.auditEveryHours)) || stopping.aborted) return
  const limits = { maxMs: REPLAY_MAX_MS, outputCharsMax: OUTPUT_CHARS_MAX }
  const { code, output } = await runChild(script, { stopping, ...limits })
  if (stopping.aborted) return
  if (code === 0) log.info({ output }, 'the journal was replayed')
  else if (code === EXIT_DIFFERENCES) log.error({ output }, 'a replay of the journal found differences')
  else log.warn({ output, code }, 'the journal could not be replayed')
}

/**
 * Returns whether the last full replay ended at least `everyHours` ago, or there was none. Uses PostgreSQL's clock if
 * `moment` is absent. A replay that a wrong clock dated in the future does not count.
 */
export async function isAuditDue(db: Db, everyHours: number, moment?: Date): Promise<boolean> {
  const now = moment ?? (await readDatabaseTime(db))
  const { rows } = await sql<{ at: Date | null }>`
    select max(finished_at) as at from audits where finished_at <= ${now}`.execute(db)
  const at = rows[0]?.at ?? null
  return at === null || now.getTime() - at.getTime() >= everyHours * 3_600_000
}
