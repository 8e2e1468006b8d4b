import type { StrategyName } from '../strategies/registry.ts'
import type { Temper } from '../strategies/temper.ts'

export interface Character {
  /** A unique username of 2 to 32 characters. */
  readonly name: string
  readonly emoji: string
  /** One sentence that describes the bot in its profile. */
  readonly about: string
  readonly strategy: StrategyName
  readonly temper: Temper
}
