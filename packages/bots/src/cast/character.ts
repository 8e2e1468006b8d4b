import type { StrategyName } from '../strategies/registry.ts'
import type { Temper } from '../strategies/temper.ts'

export interface Character {
  /** A username: 2 to 32 characters, distinct. */
  readonly name: string
  readonly emoji: string
  /** One sentence about itself. */
  readonly about: string
  readonly strategy: StrategyName
  readonly temper: Temper
}
