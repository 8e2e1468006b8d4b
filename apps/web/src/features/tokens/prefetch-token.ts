import { isFairToken } from '@papermoon/contract/fair-tokens'
import type { cache as Cache, TokenId } from '../../lib/api/api.ts'
import { sleep } from '../../lib/boot/when-idle.ts'
import { toChartInput } from '../../lib/market/chart-input.ts'

/** Starts the requests for a token's page while its code is loading. Cached data is not fetched again. */
export function prefetchToken(cache: typeof Cache, id: TokenId): void {
  void cache.tokens.get.prefetch({ id })
  void cache.tokens.trades.prefetch({ id })
  void cache.tokens.holders.prefetch({ id })
  void cache.tokens.chart.prefetch(toChartInput(id, 'ALL'))
  // The trade panel requests the position, because a player who has not joined the token's fair has none.
  if (!isFairToken(id)) void prefetchPosition(cache, id)
}

async function prefetchPosition(cache: typeof Cache, tokenId: TokenId): Promise<void> {
  // This query is the shell's `auth.me` query, and the shell reports its failure.
  const user = await cache.auth.me.ensureData().catch(() => null)
  if (user === null) return
  // Do not add this call to the batch above, because the page preloads that batch before it knows the visitor.
  await sleep(0)
  await cache.trading.position.prefetch({ tokenId })
}
