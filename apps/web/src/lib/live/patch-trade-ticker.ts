import type { TapeEntry } from '../api/api.ts'
import type { MarketEvent } from './live-events.ts'

/** Max number of trades in the list, as on the server. */
const ENTRIES_MAX = 20

export type Named = Pick<TapeEntry, 'tokenName' | 'tokenSymbol' | 'emoji'>

/**
 * Adds events to the market's newest trades, newest first. Sets `stale` if `findName` does not know a trade's token,
 * because only the server can then name it.
 */
export function patchTradeTicker(
  ticker: TapeEntry[],
  events: readonly MarketEvent[],
  findName: (tokenId: number) => Named | undefined,
): { data: TapeEntry[]; stale: boolean } {
  const known = ticker[0]?.id ?? 0
  const trades = events.flatMap((event) => (event.type === 'trade' && event.trade.id > known ? [event.trade] : []))
  const added: TapeEntry[] = []
  let stale = false
  for (const trade of trades.sort((a, b) => b.id - a.id).slice(0, ENTRIES_MAX)) {
    const named = findName(trade.tokenId)
    if (named === undefined) stale = true
    else if (added.at(-1)?.id !== trade.id) added.push({ ...trade, ...named })
  }
  return { data: added.length === 0 ? ticker : [...added, ...ticker].slice(0, ENTRIES_MAX), stale }
}
