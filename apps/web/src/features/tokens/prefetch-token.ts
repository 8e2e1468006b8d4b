import { isFairToken } from '@papermoon/contract/fair-tokens'
import type { cache as Cache, TokenId } from '../../lib/api/api.ts'
import { sleep } from '../../lib/boot/when-idle.ts'
import { toChartInput } from '../../lib/market/chart-input.ts'

/** Starts the requests for a token's page while its code is loading, except for data that is in the cache. */
export function prefetchToken(cache: typeof Cache, id: TokenId): void {
  void cache.tokens.get.prefetch({ id })
  void cache.tokens.trades.prefetch({ id })
  void cache.tokens.holders.prefetch({ id })
  void cache.tokens.chart.prefetch(toChartInput(id, 'ALL'))
  // For a token of a fair, the trade panel requests the position, because only players who have joined the fair have
  // one.
  if (!isFairToken(id)) void prefetchPosition(cache, id)
}

async function prefetchPosition(cache: typeof Cache, tokenId: TokenId): Promise<void> {
  // Use the query `auth.me`, which the shell also uses. The shell reports its failure.
  const user = await cache.auth.me.ensureData().catch(() => null)
  if (user === null) return
  // Do not put this call into the batch above, because the page preloads that batch before it knows the visitor.
  await sleep(0)
  await cache.trading.position.prefetch({ tokenId })
}
