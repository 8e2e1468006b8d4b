import type { AppPart } from '../../../context.ts'
import { closeWindow, settleTrades } from './close-window.ts'
import { giveawayWindow, lastWindowOver } from './giveaway-window.ts'
import { findOpenWindows } from './window-store.ts'

/** Max number of windows per round, for the first round after a long downtime. The next round closes the rest. */
const WINDOWS_A_ROUND = 40

type Parts = AppPart<'db' | 'clock' | 'timers' | 'log'>

/**
 * Records the winners of the oldest windows that have ended and are not recorded. A failing window does not delay
 * others. Several nodes can do this on one database.
 */
export async function closeOpenWindows({ platform }: Parts, stopping?: AbortSignal): Promise<void> {
  const { db, clock, log } = platform
  const now = clock.now()
  const open = await findOpenWindows(db, lastWindowOver(now).since, WINDOWS_A_ROUND)
  if (open.length === 0 || stopping?.aborted) return
  if (!(await settleTrades(platform, stopping))) {
    if (!stopping?.aborted) log.warn('giveaway windows wait for an older open transaction')
    return
  }
  for (const since of open) {
    if (stopping?.aborted) return
    try {
      const winners = await closeWindow(db, giveawayWindow(since), now)
      // Log windows without winners at debug level only, because a market with a history of two weeks closes fifty of
      // them at its first start.
      if (winners !== null)
        log[winners === 0 ? 'debug' : 'info']({ window: since, winners }, 'a giveaway window was closed')
    } catch (error) {
      log.warn({ err: error, window: since }, 'a giveaway window could not be closed; retrying')
    }
  }
}
