import type { StrategyName } from '../strategies/registry.ts'
import type { Temper } from '../strategies/temper.ts'
import type { Character } from './character.ts'

interface Pockets extends Pick<Temper, 'poolShareMax' | 'fairMultiple'> {
  /** Factor by which the median size of an order and the largest holding are multiplied. */
  readonly size: number
  readonly bagMax: number
}

const USUAL: Pockets = { size: 10, bagMax: 10, poolShareMax: 0.03, fairMultiple: 1 }
/**
 * Factor for the SOL of a bot, by strategy. Long-term holders put so much SOL into the pools that a buy of 10 SOL moves
 * the price by only a few percent.
 */
const POCKETS: Partial<Record<StrategyName, Pockets>> = {
  marketMaker: { ...USUAL, bagMax: 40, fairMultiple: 20 },
  diamondHands: { ...USUAL, size: 250, bagMax: 30, poolShareMax: 0.2 },
}

/** Returns a bot's temper in the main market, where house bots have ten times as much SOL as in a fair. */
export function toMainMarketTemper({ strategy, temper }: Character): Temper {
  const { size, bagMax, ...pockets } = POCKETS[strategy] ?? USUAL
  return { ...temper, ...pockets, size: temper.size * size, bagMax: temper.bagMax * bagMax }
}
