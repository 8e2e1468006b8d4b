import type { App } from '../../context.ts'
import type { MarketEvent } from '../../events/event.ts'

/** Every event of a token after `lastSeq`, once, in order: from the journal first, then as they happen. */
export async function* tokenEvents(
  _app: App,
  _input: { tokenId: number; lastSeq: number | null },
  _signal: AbortSignal | undefined,
): AsyncGenerator<MarketEvent> {
  throw new Error('not built yet')
}
