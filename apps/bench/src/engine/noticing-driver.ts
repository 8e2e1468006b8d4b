import { NoticeFeed, startFollowingMarket } from '@papermoon/api/testing'
import type { MarketEvent } from '@papermoon/engine'
import { driveOnDemand } from './drive-on-demand.ts'
import { log, openEngine } from './open-engine.ts'

/** The trading engine beside the job that tells players what matters, which runs only while orders are driven. */
const listeners = new Set<(event: MarketEvent) => void>()
const feed = {
  onEvent: (listener: (event: MarketEvent) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

driveOnDemand((address) => {
  const { db, trade } = openEngine(address, (events) => {
    for (const event of events) for (const listener of listeners) listener(event)
  })
  return { trade, startJob: () => startFollowingMarket({ db, feed, log, notices: new NoticeFeed(db, log) }) }
})
