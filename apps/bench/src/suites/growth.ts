import type { Suite } from '../bench.ts'
import { copiedMarket, type MarketPlan, unevenMarket } from '../dataset/market-plan.ts'
import { hasDataset, provideDataset } from '../dataset/provide-dataset.ts'
import { compareEngines } from '../growth/compare-engines.ts'
import { compareReads } from '../growth/compare-reads.ts'

/**
 * Max age of the cached large market in ms. Generating it takes long, and the measured reads hardly depend on its age.
 */
const LARGE_KEPT_MS = 24 * 3_600_000
const PLAYERS = 10_000
const COPIES = 10

export const growth: Suite = {
  name: 'growth',
  about: 'the engine and reads on a market of 10,000,000 trades and 100,000 tokens, against one of 100,000 and 1,000',
  // Skip the suite without a cached market, because generating the large market takes half an hour.
  isReady: ({ isQuick, say }) => {
    const isReady = isQuick || hasDataset(chooseSides(isQuick).large)
    if (!isReady) say('growth is left out: npm run bench -- growth makes its market first, in half an hour or more.')
    return isReady
  },
  run: async (context) => {
    const sides = chooseSides(context.isQuick)
    // Generate the small market last, because it must be recent.
    const large = await provideDataset(sides.large, context.say)
    const small = await provideDataset(sides.small, context.say)
    context.note('growth: large data folder, MB', large.megabytes)
    if (large.madeInS > 0) context.note('growth: made in s', Math.round(large.madeInS))
    return [...(await compareReads(context, small, large)), ...(await compareEngines(context, small, large))]
  },
}

/**
 * Returns the markets to compare, or far smaller ones for a quick run. The tokens of both have a hundred trades on
 * average.
 */
function chooseSides(isQuick: boolean): Readonly<Record<'small' | 'large', MarketPlan>> {
  if (isQuick) {
    const small = unevenMarket({ tokens: 300, players: 1_000, trades: 3_000 })
    return { small, large: copiedMarket(small, COPIES, LARGE_KEPT_MS) }
  }
  return {
    small: unevenMarket({ tokens: 1_000, players: PLAYERS, trades: 100_000 }),
    large: copiedMarket(unevenMarket({ tokens: 10_000, players: PLAYERS, trades: 1_000_000 }), COPIES, LARGE_KEPT_MS),
  }
}
