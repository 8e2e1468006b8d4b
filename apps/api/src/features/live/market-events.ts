import type { App } from '../../context.ts'
import type { MarketEvent } from '../../events/event.ts'

/** Every event of the market as it happens; after a break, what happened shortly before it first. */
export async function* marketEvents(
  _app: App,
  _since: Date | null,
  _signal: AbortSignal | undefined,
): AsyncGenerator<MarketEvent> {
  throw new Error('not built yet')
}
