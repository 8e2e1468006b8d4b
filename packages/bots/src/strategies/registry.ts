import { momentum } from './momentum.ts'
import type { Strategy } from './strategy.ts'

export type StrategyName = 'momentum'

/** All strategies by name. */
export const STRATEGIES: Readonly<Record<StrategyName, Strategy>> = { momentum }

/** Strategies by the name that characters have. */
export type Strategies = Readonly<Record<string, Strategy>>
