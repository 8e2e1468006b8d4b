import type { AppPart } from '../context.ts'

/**
 * Clears all cached responses and journal pages of both markets after a change to a player's name or kind, because they
 * contain names and kinds.
 */
export function forgetNames(app: AppPart<'queryCache' | 'journal' | 'fairs'>): void {
  for (const { market, live } of [app, app.market.fairs ?? app]) {
    market.queryCache.invalidateAll()
    live.journal.clear()
  }
}
