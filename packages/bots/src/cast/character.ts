import type { StrategyName } from '../strategies/registry.ts'
import type { Temper } from '../strategies/temper.ts'

/** Character of a house bot. */
export interface Character {
  /** A username: 2 to 32 characters, distinct. */
  readonly name: string
  /** Its picture: one emoji. */
  readonly emoji: string
  /** One sentence about itself. */
  readonly about: string
  readonly strategy: StrategyName
  readonly temper: Temper
}
