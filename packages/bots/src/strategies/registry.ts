import { diamondHands } from './diamond-hands.ts'
import { launcher } from './launcher.ts'
import { marketMaker } from './market-maker.ts'
import { meanReversion } from './mean-reversion.ts'
import { momentum } from './momentum.ts'
import { paperHands } from './paper-hands.ts'
import { rugPuller, toRugNight } from './rug-puller.ts'
import { sniper } from './sniper.ts'
import type { Strategy } from './strategy.ts'
import { whale } from './whale.ts'

export const STRATEGIES = {
  momentum,
  meanReversion,
  marketMaker,
  whale,
  sniper,
  paperHands,
  diamondHands,
  launcher,
  rugPuller,
} satisfies Readonly<Record<string, Strategy>>

export type StrategyName = keyof typeof STRATEGIES

export const LAUNCHING: ReadonlySet<StrategyName> = new Set(['launcher', 'rugPuller'])

export type Strategies = Readonly<Record<string, Strategy>>

export const RUG_NIGHT: Strategies = Object.fromEntries(
  Object.entries(STRATEGIES).map(([name, strategy]) => [name, toRugNight(strategy)]),
)
