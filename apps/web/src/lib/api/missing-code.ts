const MARK = 'The code of a screen did not come: '

/**
 * Marks errors of missing code (chunk or style sheet) with a message of our own. The router recognises the browser's
 * message and would reload the page at once, which without a network shows only the browser's error page.
 */
export function markMissingCode(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    if (!isMissingCode(payload)) payload.message = `${MARK}${payload.message}`
  })
}

/** Whether a route's error means that its code or style sheet could not be fetched. */
export function isMissingCode(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(MARK)
}
