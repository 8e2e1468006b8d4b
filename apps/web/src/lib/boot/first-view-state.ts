/** A slow line answers within it; whoever waits longer is told that the page is loading. */
export const FIRST_VIEW_MAX_MS = 3_000

/** Whether the view that came with the page is still what is seen. */
export function firstViewStands(): boolean {
  return document.querySelector('#root > [inert]') !== null
}
