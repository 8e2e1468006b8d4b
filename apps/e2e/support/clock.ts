import { expect, type Page } from '@playwright/test'

const AHEAD_MS = 60_000

/**
 * Stops a page's clock, so that the test decides when timers run. Call this only when the page already shows the app.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install()
  await pauseClock(page)
}

/** Stops a page's installed clock one minute in the future, because it cannot stop in the past. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + AHEAD_MS)
}

/**
 * Runs a stopped clock in steps of 1 ms until `isDone`. Steps are needed, because timers send the requests but
 * responses arrive in real time.
 */
export async function runClockUntil(page: Page, isDone: () => boolean | Promise<boolean>): Promise<void> {
  const runOneMs = async () => {
    await page.clock.runFor(1)
    return await isDone()
  }
  // Poll often, because a timer that began late would need minutes with the default intervals of up to one second.
  await expect.poll(runOneMs, { intervals: [20] }).toBe(true)
}
