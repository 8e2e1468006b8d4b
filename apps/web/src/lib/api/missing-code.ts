const MARK = 'Could not load a part of this site: '

/**
 * Marks errors about missing code (a chunk or style sheet) with our own message. The router would recognize the
 * browser's message and reload the page at once. Without a network, a reload shows only the browser's error page.
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
