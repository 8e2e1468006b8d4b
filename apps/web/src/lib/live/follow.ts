import { RECONNECT_MS } from '@papermoon/client/reconnect'
import { useEffect, useEffectEvent } from 'react'
import type { MarketEvent, StreamEvent } from '../api/api.ts'
import { getReason } from '../api/failure.ts'
import { serverNow } from '../api/server-now.ts'
import { currentConnection, type LiveApi, onConnectionChange, openSocket } from './socket.ts'

/** How far in the past the feed starts, in ms. The feed must overlap with queries that were fetched just before. */
export const OVERLAP_MS = 10_000

const KINDS = ['launch', 'trade', 'rug', 'seal'] as const

interface FollowOptions {
  readonly sinceMs?: number | undefined
  readonly types?: readonly (typeof KINDS)[number][]
  /** Id of the fair to follow instead of the main game. */
  readonly fairId?: number | undefined
}

/**
 * Calls `onEvent` for every market event whose type is in `types`, starting slightly before `sinceMs`. Returns a
 * function that stops this.
 */
export function followMarket(
  onEvent: (event: MarketEvent) => void,
  { sinceMs = serverNow(), types = KINDS, fairId }: FollowOptions = {},
): () => void {
  const fairs = fairId === undefined ? {} : { fairs: [fairId] }
  const toId = (ms: number) => new Date(ms - OVERLAP_MS).toISOString()
  return follow<MarketEvent>({
    from: toId(sinceMs),
    subscribe: ({ live }, handlers, lastEventId) =>
      live.market.subscribe({ lastEventId, types: [...types], ...fairs }, handlers as Handlers<StreamEvent>),
    onData: onEvent,
    // Resume without the missed events, which the server no longer has, because the page fetches everything again after
    // an interruption.
    resumeAfter: (error) => (getReason(error) === 'BAD_INPUT' ? toId(serverNow()) : undefined),
  })
}

export interface Feed<Data> {
  readonly subscribe: (
    api: LiveApi,
    handlers: Handlers<Data>,
    lastEventId: string | undefined,
  ) => { unsubscribe(): void }
  readonly onData: (data: Data) => void
  /** Id of the last event that the page already knows. */
  readonly from?: string | undefined
  /** Called when the first subscription begins without `from`, so that the server sends no earlier events. */
  readonly onBegin?: () => void
  /** Called when a subscription fails. The function may return another id after which to resume. */
  readonly resumeAfter?: (error: unknown) => string | undefined
}

interface Handlers<Data> {
  readonly onStarted: () => void
  readonly onData: (event: { readonly id: string; readonly data: Data }) => void
  readonly onError: (error: unknown) => void
  readonly onComplete: () => void
}

/**
 * Keeps a subscription running. If the server ends it, subscribes again after 3 seconds and resumes after the last
 * event. Returns a function that stops this.
 */
export function follow<Data>({ subscribe, onData, from, onBegin, resumeAfter }: Feed<Data>): () => void {
  let lastEventId = from
  let timer: ReturnType<typeof setTimeout> | null = null
  let stopped = false
  let subscription: { unsubscribe(): void } | null = null
  const again = () => {
    if (!stopped) timer ??= setTimeout(start, RECONNECT_MS)
  }
  const handlers: Handlers<Data> = {
    onStarted: () => lastEventId === undefined && onBegin?.(),
    onData: ({ id, data }) => {
      lastEventId = id
      onData(data)
    },
    onError: (error) => {
      lastEventId = resumeAfter?.(error) ?? lastEventId
      again()
    },
    onComplete: again,
  }
  const start = () => {
    timer = null
    openSocket().then((api) => {
      if (!stopped) subscription = subscribe(api, handlers, lastEventId)
    }, again)
  }
  start()
  return () => {
    stopped = true
    if (timer !== null) clearTimeout(timer)
    subscription?.unsubscribe()
  }
}

/** Calls `onBack` after each reconnect of the live connection. Returns a function that stops this. */
export function onReconnect(onBack: () => void): () => void {
  let wasOffline = currentConnection().state === 'offline'
  return onConnectionChange(() => {
    const { state } = currentConnection()
    if (state === 'live' && wasOffline) onBack()
    wasOffline = state === 'offline'
  })
}

/** Follows the feed `key` while the component is mounted. If `key` is null, follows no feed. */
export function useFeed<Data>(key: string | number | null, feed: Feed<Data>): void {
  const read = useEffectEvent(() => feed)
  useEffect(() => {
    if (key === null) return
    return follow<Data>({
      ...read(),
      onData: (data) => read().onData(data),
      onBegin: () => read().onBegin?.(),
    })
  }, [key])
}
