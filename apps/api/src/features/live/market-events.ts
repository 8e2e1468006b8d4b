import type { MarketEvent } from '@papermoon/engine'
import { EventBuffer } from '../../events/event-buffer.ts'
import { readMarketEvents } from '../../events/journal.ts'
import type { LiveReader } from './live-reader.ts'
import { replay } from './replay.ts'

const BUFFER_MAX = 500
/** More than nodes' clocks and commits differ: events this long before a break may be sent again. */
const WINDOW_MS = 5_000

/**
 * The events of all visible tokens as they happen, in groups. After a break or an overflow the recent past comes from
 * the journal. Some of those events repeat: (tokenId, seq) identifies them.
 */
export async function* marketEvents(reader: LiveReader, since: Date | null): AsyncGenerator<MarketEvent[]> {
  const { app, signal } = reader
  const buffer = new EventBuffer({ sizeMax: BUFFER_MAX, signal, wakes: app.wakeQueue })
  const isShown = (event: MarketEvent) => !app.feed.isHidden(event.tokenId)
  const detach = app.feed.onEvent(buffer.push)
  try {
    let from = since
    while (!signal?.aborted) {
      if (from !== null) {
        const after = new Date(from.getTime() - WINDOW_MS)
        const read = await replay(app, () => readMarketEvents(app.db, after))
        await reader.spendEvents(read.length)
        const missed = read.filter(isShown)
        if (missed.length > 0) yield missed
      }
      const { events, overflowed } = await buffer.take()
      const shown = events.filter(isShown)
      if (shown.length > 0) yield shown
      from = overflowed ? app.clock.now() : null
    }
  } finally {
    detach()
  }
}
