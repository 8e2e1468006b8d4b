import type { Db } from '@papermoon/db'
import type { AppPart } from '../../../context.ts'
import { type PeriodicJob, startPeriodicJob } from '../../../lib/periodic-job.ts'
import type { AccountEvent } from './account-events.ts'
import { insertAccountEvent, logUnlogged } from './event-store.ts'

const LOG_EVERY_MS = 10_000

/** Records how an operator's command changed an account. A running server then writes the event to the security log. */
export async function recordOperatorEvent(
  db: Db,
  { userId, kind, detail = {} }: AccountEvent,
  at = new Date(),
): Promise<void> {
  await insertAccountEvent(db, {
    userId,
    kind,
    at,
    address: null,
    browser: null,
    detail: { ...detail, by: 'operator' },
    mergeKey: null,
    isLogged: false,
  })
}

/** Starts writing events that commands recorded to the security log. Each event is written by one node, within 10 s. */
export function startOperatorEventLog({
  platform: { db, timers, log },
  accounts: { securityLog },
}: AppPart<'db' | 'timers' | 'log' | 'securityLog'>): PeriodicJob {
  const work = () =>
    logUnlogged(db, ({ kind, userId, at, detail }) => {
      securityLog.done({ kind, userId, ip: null, at: at.toISOString(), detail })
    })
  const failed = (error: unknown) => log.warn({ err: error }, 'operator events could not be logged; retrying')
  return startPeriodicJob({ timers, everyMs: LOG_EVERY_MS, failed }, work)
}
