import type { App } from '../../context.ts'
import { type PeriodicJob, startPeriodicJob } from '../../lib/periodic-job.ts'
import { closeWindow, settleTrades } from './close-window.ts'
import { giveawayWindow, lastWindowOver } from './giveaway-window.ts'
import { findOpenWindows } from './window-store.ts'

const LOOK_EVERY_MS = 30_000
/** After days away: so many at a time, one after another; the rest in the next round. */
const WINDOWS_A_ROUND = 40

type Parts = Pick<App, 'db' | 'clock' | 'log'>

/**
 * Records the winners of each window of six hours soon after its end, and of those that ended while no server ran: at
 * once and then every half a minute. Several nodes may do this on one database.
 */
export function startWindowCloser(parts: Parts): PeriodicJob {
  return startPeriodicJob(
    LOOK_EVERY_MS,
    (stopping) => closeOpenWindows(parts, stopping),
    (error) => parts.log.warn({ err: error }, 'windows stay open for now'),
  )
}

/** One round: closes the oldest windows that are over and not recorded. One that fails holds up no other. */
export async function closeOpenWindows({ db, clock, log }: Parts, stopping?: AbortSignal): Promise<void> {
  const now = clock.now()
  const open = await findOpenWindows(db, lastWindowOver(now).since, WINDOWS_A_ROUND)
  if (open.length === 0 || stopping?.aborted) return
  if (!(await settleTrades(db, stopping))) {
    if (!stopping?.aborted) log.warn('windows stay open while an old transaction does')
    return
  }
  for (const since of open) {
    if (stopping?.aborted) return
    try {
      const winners = await closeWindow(db, giveawayWindow(since), now)
      if (winners !== null) log.info({ window: since, winners }, 'a window is closed')
    } catch (error) {
      log.warn({ err: error, window: since }, 'a window stays open for now')
    }
  }
}
