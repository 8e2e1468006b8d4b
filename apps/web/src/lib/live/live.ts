import type { ConnectionState } from '@papermoon/client'
import { useEffect, useSyncExternalStore } from 'react'
import type { TokenId } from '../api/api.ts'
import { loadLate } from '../boot/lazy-import.ts'
import { whenIdle } from '../boot/when-idle.ts'
import { invalidateMarket } from '../market/market-queries.ts'
import type { MarketEvent } from './live-events.ts'
import { currentConnection, onConnectionChange } from './socket.ts'

/** Whether the page is live, and since when. */
export function useConnection(): ConnectionState {
  return useSyncExternalStore(onConnectionChange, currentConnection)
}

/** However long a page was on its way, no more of the market than this is told again. */
const LOADING_MAX_MS = 60_000
let isPageNew = true

/** Keeps everything cached of the market live while the calling screen is shown. */
export function useMarketFeed(): void {
  useEffect(() => {
    // The first answers of a new page are asked for before any of its scripts runs.
    const sinceMs = isPageNew ? Math.max(performance.timeOrigin, Date.now() - LOADING_MAX_MS) : Date.now()
    isPageNew = false
    const stop = beginLate((feeds) => feeds.startMarketFeed(sinceMs))
    return () => {
      stop()
      invalidateMarket('none')
    }
  }, [])
}

/**
 * Keeps everything cached of a token live while the calling screen is shown; `onEvents` hears of the events too. The
 * feed begins after the last event that the cache knows, so start it (`ready`) when the token is there.
 */
export function useTokenFeed(id: TokenId, ready: boolean, onEvents?: (events: readonly MarketEvent[]) => void): void {
  useEffect(() => {
    if (!ready) return
    return beginLate((feeds) => feeds.startTokenFeed(id, onEvents))
  }, [id, ready, onEvents])
}

/** The maths of the patches is not needed to draw a screen: it comes when the browser has nothing better to do. */
function beginLate(begin: (feeds: typeof import('./live-feeds.ts')) => () => void): () => void {
  let isStopped = false
  let stop = () => {}
  const callOff = whenIdle(async () => {
    const feeds = await loadLate(loadFeeds)
    if (!isStopped) stop = begin(feeds)
  })
  return () => {
    isStopped = true
    callOff()
    stop()
  }
}

const loadFeeds = () => import('./live-feeds.ts')
