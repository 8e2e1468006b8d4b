const MARK = 'The code of a screen did not come: '

/**
 * Tells code that did not come from code that fails. The router would load the page anew at once where a screen's code
 * is missing; without a network nothing but the browser's own error page would come of it. Such an error gets a message
 * that the router does not know, and the screen for errors knows.
 */
export function markMissingCode(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    if (!isMissingCode(payload)) payload.message = `${MARK}${payload.message}`
  })
}

/** Whether an error that a screen threw is that its code, or its style sheet, did not come. */
export function isMissingCode(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(MARK)
}
