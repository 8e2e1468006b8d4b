import type { cache as Cache, TokenId } from '../../lib/api/api.ts'

/** Starts every call that a token's page needs, before the page's code is there; what is cached is not fetched again. */
export function prefetchToken(cache: typeof Cache, id: TokenId): void {
  void cache.tokens.get.prefetch({ id })
  void cache.tokens.trades.prefetch({ id })
  void cache.tokens.holders.prefetch({ id })
  void cache.tokens.chart.prefetch({ id, timeframe: 'ALL' })
  void prefetchPosition(cache, id)
}

async function prefetchPosition(cache: typeof Cache, tokenId: TokenId): Promise<void> {
  // Who is here is asked once for the whole shell, which also says so when nobody answers.
  const user = await cache.auth.me.ensureData().catch(() => null)
  if (user !== null) await cache.trading.position.prefetch({ tokenId })
}
