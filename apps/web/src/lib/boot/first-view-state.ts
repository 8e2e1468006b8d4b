/** How long the first view stays on screen without a response before the loading screen replaces it, ms. */
export const FIRST_VIEW_MAX_MS = 3_000

/** Returns whether the static view from the HTML page is still on screen. */
export function isFirstViewShown(): boolean {
  return document.querySelector('#root > [inert]') !== null
}

/** Waits for `work`, but at most `ms`. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])
}
