import type { AppPart } from '../context.ts'

/** After a change of a player's name or kind, which are in every cached answer and page of the journal of both markets. */
export function forgetNames(app: AppPart<'queryCache' | 'journal' | 'fairs'>): void {
  for (const { market, live } of [app, app.market.fairs ?? app]) {
    market.queryCache.invalidateAll()
    live.journal.clear()
  }
}
