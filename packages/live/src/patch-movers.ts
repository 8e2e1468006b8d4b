import type { MarketEvent } from '@papermoon/contract/market-events'
import type { Movers, Token } from '@papermoon/contract/tokens'
import type { PatchResult } from './patch-result.ts'
import { patchToken } from './patch-token.ts'
import { tokenAtLaunch } from './token-at-launch.ts'

/** Max number of tokens per column. The API has the same limit. */
const COLUMN_MAX = 8

/**
 * Returns the columns of movers after events, in order. A launched token comes first in the column of new tokens. All
 * other tokens stay in place. The columns are stale if a token may no longer belong in its column, or if an event lacks
 * data.
 */
export function patchMovers(movers: Movers, events: readonly MarketEvent[]): PatchResult<Movers> {
  let data = movers
  let isStale = false
  for (const event of events) {
    if (event.type === 'token_launched') {
      if (data.fresh.some((token) => token.id === event.tokenId)) continue
      data = { ...data, fresh: [tokenAtLaunch(event), ...data.fresh].slice(0, COLUMN_MAX) }
      isStale = true
      continue
    }
    const patched = patchColumns(data, event)
    data = patched.data
    isStale ||= patched.stale
  }
  return { data, stale: isStale }
}

function patchColumns(movers: Movers, event: MarketEvent): PatchResult<Movers> {
  const [fresh, rising, hot] = [movers.fresh, movers.rising, movers.hot].map((tokens) => patchColumn(tokens, event))
  if (fresh === undefined || rising === undefined || hot === undefined) return { data: movers, stale: false }
  const stale = fresh.stale || rising.stale || hot.stale
  if (fresh.data === movers.fresh && rising.data === movers.rising && hot.data === movers.hot) {
    return { data: movers, stale }
  }
  return { data: { fresh: fresh.data, rising: rising.data, hot: hot.data }, stale }
}

function patchColumn(tokens: Token[], event: MarketEvent): PatchResult<Token[]> {
  const index = tokens.findIndex((token) => token.id === event.tokenId)
  const listed = tokens[index]
  if (listed === undefined) return { data: tokens, stale: false }
  const { data, stale } = patchToken(listed, event)
  if (data === listed) return { data: tokens, stale }
  return { data: tokens.with(index, data), stale: stale || event.type === 'rug_pull' }
}
