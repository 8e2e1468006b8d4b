import { RECONNECT_MS } from '@papermoon/client/reconnect'
import type { MarketEvent } from './live-events.ts'
import { currentConnection, type LiveApi, onConnectionChange, openSocket } from './socket.ts'

/** The feed begins this long before now, so that it meets what was fetched just before it. */
export const OVERLAP_MS = 10_000

/** Calls `onEvent` for all that happens on the market, from a little before `sinceMs` on; returns the way to stop. */
export function followMarket(onEvent: (event: MarketEvent) => void, sinceMs = Date.now()): () => void {
  let lastEventId = new Date(sinceMs - OVERLAP_MS).toISOString()
  return follow((live, handlers) =>
    live.market.subscribe(
      { lastEventId },
      {
        ...handlers,
        onData: ({ id, data }) => {
          lastEventId = id
          onEvent(data)
        },
      },
    ),
  )
}

interface Handlers {
  onError: (error: unknown) => void
  onComplete: () => void
}

/** Keeps a subscription up: one that the server ends is asked for again 3 seconds later. */
export function follow(subscribe: (live: LiveApi, handlers: Handlers) => { unsubscribe(): void }): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  let stopped = false
  let subscription: { unsubscribe(): void } | null = null
  const again = () => {
    if (!stopped) timer ??= setTimeout(start, RECONNECT_MS)
  }
  const start = () => {
    timer = null
    openSocket().then((live) => {
      if (!stopped) subscription = subscribe(live, { onError: again, onComplete: again })
    }, again)
  }
  start()
  return () => {
    stopped = true
    if (timer !== null) clearTimeout(timer)
    subscription?.unsubscribe()
  }
}

/** Calls `onBack` each time the live connection is there again after it was lost; returns the way to stop. */
export function onReconnect(onBack: () => void): () => void {
  let wasOffline = currentConnection().state === 'offline'
  return onConnectionChange(() => {
    const { state } = currentConnection()
    if (state === 'live' && wasOffline) onBack()
    wasOffline = state === 'offline'
  })
}
