const MARK = 'Could not load a part of this site: '

/**
 * Replaces the message of errors about missing code (a chunk or style sheet). The router would recognize the browser's
 * own message and reload the page at once. Such a reload shows only the browser's error page if there is no network.
 */
export function markMissingCode(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    if (!isMissingCode(payload)) payload.message = `${MARK}${payload.message}`
  })
}

/** Returns whether a route's error means that its code or style sheet could not be fetched. */
export function isMissingCode(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(MARK)
}
