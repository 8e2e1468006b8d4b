import { runPart, type Suite } from '../bench.ts'
import { type MarketPlan, unevenMarket } from '../dataset/market-plan.ts'
import { hasDataset, provideDataset } from '../dataset/provide-dataset.ts'
import { compareEngines } from '../growth/compare-engines.ts'
import { compareReads } from '../growth/compare-reads.ts'

/**
 * Max age of the cached large market in ms. This age is long, because generating the market takes long, and its age
 * hardly affects the reads.
 */
const LARGE_KEPT_MS = 24 * 3_600_000
const REPEATS = 10

export const growth: Suite = {
  name: 'growth',
  about: 'the engine and reads on a market of 10,000,000 trades and 100,000 tokens, against one of 100,000 and 1,000',
  // Skip the suite if no market is cached, because generating the large market takes half an hour.
  isReady: ({ isQuick, say }) => {
    const isReady = isQuick || hasDataset(chooseSides(isQuick).large)
    if (!isReady) say('growth is left out: npm run bench -- growth makes its market first, in half an hour or more.')
    return isReady
  },
  run: async (context) => {
    const plans = chooseSides(context.isQuick)
    // Generate the small market last, because it must be recent.
    const large = await provideDataset(context, plans.large)
    const small = await provideDataset(context, plans.small)
    const reads = await runPart(context, (part) => compareReads(part, { small, large }))
    return [...reads, ...(await runPart(context, (part) => compareEngines(part, { small, large })))]
  },
}

/**
 * Returns the two markets to compare. For a quick run, both markets are far smaller. In both markets, a token has a
 * hundred trades on average.
 */
function chooseSides(isQuick: boolean): Readonly<Record<'small' | 'large', MarketPlan>> {
  const [factor, players] = isQuick ? [1, 1_000] : [10, 10_000]
  const size = (tokens: number) => ({ tokens, players, trades: tokens * 100 })
  const repeated = unevenMarket(size(100 * factor ** 2))
  return {
    small: unevenMarket(size(100 * factor)),
    large: { ...repeated, name: `${repeated.name}-times-${REPEATS}`, repeats: REPEATS, keptMs: LARGE_KEPT_MS },
  }
}
