import type { MarketEvent } from './event.ts'

/** Called for each event, in the order of its token's sequence numbers; must not throw or wait. */
export type Listener = (event: MarketEvent) => void

/**
 * The one place where a node's subscribers hear of the market.
 *
 * Per token, listeners get every event after the moment they attached once, in commit order, whether this
 * node committed it, another did, or an operator's command.
 */
export interface LiveFeed {
  /** Hands over events that are committed, in commit order per token. */
  publish(events: readonly MarketEvent[]): void
  /** Attaches a listener to the whole market; returns the way to detach it. */
  onEvent(listener: Listener): () => void
  /** Attaches a listener to one token; returns the way to detach it. */
  onTokenEvent(tokenId: number, listener: Listener): () => void
}
