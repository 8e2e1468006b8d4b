/** Max time the first view stays on screen without an answer; after it the loading screen is shown. */
export const FIRST_VIEW_MAX_MS = 3_000

/** Whether the static view from the HTML page is still on screen. */
export function isFirstViewShown(): boolean {
  return document.querySelector('#root > [inert]') !== null
}

/** Settles with `work`, or resolves after `ms` if that comes first. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])
}
