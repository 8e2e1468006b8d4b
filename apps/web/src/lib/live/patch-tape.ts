import type { TapeEntry } from '../api/api.ts'
import type { MarketEvent } from './live-events.ts'

/** As many as a reading holds. */
const TAPE_MAX = 20

/** What a trade of the tape is called by. */
export type Named = Pick<TapeEntry, 'tokenName' | 'tokenSymbol' | 'emoji'>

/**
 * The market's newest trades after some events, newest first. Stale where a trade is of a token that `nameOf` does not
 * know, which only the server can name.
 */
export function patchTape(
  tape: TapeEntry[],
  events: readonly MarketEvent[],
  nameOf: (tokenId: number) => Named | undefined,
): { data: TapeEntry[]; stale: boolean } {
  const known = tape[0]?.id ?? 0
  const trades = events.flatMap((event) => (event.type === 'trade' && event.trade.id > known ? [event.trade] : []))
  const added: TapeEntry[] = []
  let stale = false
  for (const trade of trades.sort((a, b) => b.id - a.id).slice(0, TAPE_MAX)) {
    const named = nameOf(trade.tokenId)
    if (named === undefined) stale = true
    else if (added.at(-1)?.id !== trade.id) added.push({ ...trade, ...named })
  }
  return { data: added.length === 0 ? tape : [...added, ...tape].slice(0, TAPE_MAX), stale }
}
