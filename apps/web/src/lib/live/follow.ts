import { RECONNECT_MS } from '@papermoon/client/reconnect'
import { serverNow } from '../api/server-now.ts'
import type { MarketEvent } from './live-events.ts'
import { currentConnection, type LiveApi, onConnectionChange, openSocket } from './socket.ts'

/** How long before now the feed starts, ms. The time must overlap with queries that were fetched just before. */
export const OVERLAP_MS = 10_000

const KINDS = ['launch', 'trade', 'rug', 'seal'] as const

/**
 * Calls `onEvent` for every market event whose type is in `types`, starting slightly before `sinceMs`. Returns a
 * function that stops it.
 */
export function followMarket(
  onEvent: (event: MarketEvent) => void,
  sinceMs = serverNow(),
  types: readonly (typeof KINDS)[number][] = KINDS,
): () => void {
  let lastEventId = new Date(sinceMs - OVERLAP_MS).toISOString()
  return follow(({ live }, handlers) =>
    live.market.subscribe(
      { lastEventId, types: [...types] },
      {
        ...handlers,
        onError: (error) => {
          // The server no longer has the missed events. The page refetches everything after the interruption.
          if (error.data?.reason === 'BAD_INPUT') lastEventId = new Date(serverNow() - OVERLAP_MS).toISOString()
          handlers.onError(error)
        },
        onData: ({ id, data }) => {
          lastEventId = id
          onEvent(data as MarketEvent)
        },
      },
    ),
  )
}

interface Handlers {
  onError: (error: unknown) => void
  onComplete: () => void
}

/** Keeps a subscription running. If the server ends it, subscribes again after 3 seconds. */
export function follow(subscribe: (api: LiveApi, handlers: Handlers) => { unsubscribe(): void }): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  let stopped = false
  let subscription: { unsubscribe(): void } | null = null
  const again = () => {
    if (!stopped) timer ??= setTimeout(start, RECONNECT_MS)
  }
  const start = () => {
    timer = null
    openSocket().then((api) => {
      if (!stopped) subscription = subscribe(api, { onError: again, onComplete: again })
    }, again)
  }
  start()
  return () => {
    stopped = true
    if (timer !== null) clearTimeout(timer)
    subscription?.unsubscribe()
  }
}

/** Calls `onBack` after each reconnect. Returns a function that stops it. */
export function onReconnect(onBack: () => void): () => void {
  let wasOffline = currentConnection().state === 'offline'
  return onConnectionChange(() => {
    const { state } = currentConnection()
    if (state === 'live' && wasOffline) onBack()
    wasOffline = state === 'offline'
  })
}
