/**
 * How long the first view stays on the screen without a response, in ms. After this time, the loading screen replaces
 * the first view.
 */
export const FIRST_VIEW_MAX_MS = 3_000

/** Returns whether the first view from the HTML page is still on the screen. */
export function isFirstViewShown(): boolean {
  return document.querySelector('#root > [inert]') !== null
}

/** Waits for `work`, but not longer than `ms`. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])
}
