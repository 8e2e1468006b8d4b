import { patchMovers } from '@papermoon/live'
import { type CachedQuery, isSameMinute } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { MOVERS_MAX, type Movers, movers } from '../schemas.ts'
import { findTokens } from '../store.ts'
import { toToken } from '../token-of.ts'
import { findHot, findRising, findTraded } from './movers-store.ts'

/** Who stands in a column is told this late at most; figures are of now. */
const AGE_MAX_MS = 10_000
const COLUMNS = 3

const moversQuery: CachedQuery<null, Movers> = {
  name: 'movers',
  schema: movers,
  key: () => '',
  weight: () => COLUMNS * MOVERS_MAX,
  scope: () => 'market',
  isFresh: (atMs, nowMs) => isSameMinute(atMs, nowMs) && nowMs >= atMs && nowMs < atMs + AGE_MAX_MS,
  applyEvents: patchMovers,
}

/** The columns beside the market: what is new, what rises, what is traded most. */
export async function getMovers(app: App): Promise<Movers> {
  return await app.queryCache.get(moversQuery, null, () => readMovers(app))
}

async function readMovers({ db, clock }: App): Promise<Movers> {
  const now = clock.now()
  const limit = MOVERS_MAX
  const traded = await findTraded(db, now)
  const [fresh, rising, hot] = await Promise.all([
    findTokens(db, { search: '', sort: 'newest', limit, after: null, now }),
    findRising(db, traded, { limit, now }),
    findHot(db, traded, { limit, now }),
  ])
  return { fresh: fresh.map(toToken), rising: rising.map(toToken), hot: hot.map(toToken) }
}
