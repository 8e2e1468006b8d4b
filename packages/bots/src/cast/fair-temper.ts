import type { Temper } from '../strategies/temper.ts'
import type { Character } from './character.ts'

/** Factor by which a bot's orders and holdings are larger in a fair than in its own temper with the same money. */
const SIZE = 10
/** Factor by which a bot's gain and loss limits are larger in a fair, because larger orders move prices further. */
const NERVE = 1.5
/** SOL for which the characters' tempers are made. */
const USUAL_STAKE = 100

/** Returns a bot's temper in a fair in which all players start with `stake` SOL. */
export function toFairTemper({ temper }: Character, stake: number): Temper {
  const size = (SIZE * stake) / USUAL_STAKE
  return {
    ...temper,
    size: temper.size * size,
    bagMax: temper.bagMax * size,
    greed: temper.greed * NERVE,
    fear: temper.fear * NERVE,
  }
}
