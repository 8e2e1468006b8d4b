import { useEffect } from 'react'
import type { MarketEvent, TokenId } from '../api/api.ts'
import { serverNow } from '../api/server-now.ts'
import { lazyImport } from '../boot/lazy-import.ts'
import { whenIdle } from '../boot/when-idle.ts'
import { invalidateMarket } from '../market/market-queries.ts'

/** Max age in ms of events that a slowly loading page still applies. */
const LOADING_MAX_MS = 60_000
let isPageNew = true

/** Updates cached market queries live while the calling screen is mounted. */
export function useMarketFeed(): void {
  useEffect(() => {
    // Begin with events from the time of the navigation, because a page's first requests start before its scripts.
    const sinceMs = serverNow() - (isPageNew ? Math.min(performance.now(), LOADING_MAX_MS) : 0)
    isPageNew = false
    const stop = startWhenIdle((feeds) => feeds.startMarketFeed(sinceMs))
    return () => {
      stop()
      invalidateMarket('none')
    }
  }, [])
}

/**
 * Updates a token's cached queries live while the calling screen is mounted. `onEvents` also gets the events. Set
 * `ready` when the token is loaded, because the feed starts after the last event in the cache.
 */
export function useTokenFeed(id: TokenId, ready: boolean, onEvents?: (events: readonly MarketEvent[]) => void): void {
  useEffect(() => {
    if (!ready) return
    return startWhenIdle((feeds) => feeds.startTokenFeed(id, onEvents))
  }, [id, ready, onEvents])
}

/** Load the code that applies events when the browser is idle, because screens render without it. */
function startWhenIdle(begin: (feeds: typeof import('./live-feeds.ts')) => () => void): () => void {
  let isStopped = false
  let stop = () => {}
  const callOff = whenIdle(async () => {
    const feeds = await lazyImport(loadFeeds)
    if (!isStopped) stop = begin(feeds)
  })
  return () => {
    isStopped = true
    callOff()
    stop()
  }
}

const loadFeeds = () => import('./live-feeds.ts')
