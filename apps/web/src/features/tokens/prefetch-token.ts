import { isFairToken } from '@papermoon/contract/fair-tokens'
import type { cache as Cache, TokenId } from '../../lib/api/api.ts'
import { sleep } from '../../lib/boot/when-idle.ts'
import { toChartInput } from '../../lib/market/chart-input.ts'

/** Starts the calls of a token's page while its code is loading; cached data is not fetched again. */
export function prefetchToken(cache: typeof Cache, id: TokenId): void {
  void cache.tokens.get.prefetch({ id })
  void cache.tokens.trades.prefetch({ id })
  void cache.tokens.holders.prefetch({ id })
  void cache.tokens.chart.prefetch(toChartInput(id, 'ALL'))
  // A player who is not in a token's fair has no position: its panel asks.
  if (!isFairToken(id)) void prefetchPosition(cache, id)
}

async function prefetchPosition(cache: typeof Cache, tokenId: TokenId): Promise<void> {
  // Shares the shell's `auth.me` query; the shell reports its failure.
  const user = await cache.auth.me.ensureData().catch(() => null)
  if (user === null) return
  // Not in the batch above: the page preloads that one before it knows who visits.
  await sleep(0)
  await cache.trading.position.prefetch({ tokenId })
}
