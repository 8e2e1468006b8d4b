import type { MarketEvent, TradeEvent } from '../market/events.ts'
import type { TokenView } from '../market/views.ts'
import type { Random } from '../random/random.ts'
import type { WakeQueue } from './wake-queue.ts'

/** Who may answer, and the source of who does. */
export interface Answerers {
  readonly memberCount: number
  readonly random: Random
}

/** Median delays of those who notice a launch first, in ms. Assumptions: people see, think, then click. */
const NOTICED_MS = [7_000, 12_000, 20_000, 40_000]
const NOTICED_SPREAD = 0.5
/** Later visitors of a new token: how many, and their mean distance in time. */
const VISITORS = 6
const VISITS_MS = 90_000
/** Trades of a token that are answered as its first ones. */
const FIRST_TRADES = 3
const ANSWER_CHANCE = 0.35
const ANSWER_MS = 15_000
/** When a bot looks again at what it bought in a token. */
const SECOND_LOOK_MS = 150_000

/** Plans who looks at a stranger's launch, or at a stranger's trade. */
export function planAnswers(wakes: WakeQueue, event: MarketEvent, token: TokenView, from: Answerers): void {
  if (event.type === 'rug') return
  const { random, memberCount } = from
  const { atMs, tokenId } = event
  const add = (delayMs: number) => wakes.push({ atMs: atMs + delayMs, member: random.int(memberCount), tokenId })
  if (event.type === 'launch') {
    let visitMs = 0
    for (const medianMs of NOTICED_MS) add(random.logNormal(medianMs, NOTICED_SPREAD))
    for (let visitor = 0; visitor < VISITORS; visitor++) {
      visitMs += random.exponential(VISITS_MS)
      add(visitMs)
    }
    return
  }
  const chance = token.tradeCount <= FIRST_TRADES ? 1 : ANSWER_CHANCE
  if (random.chance(chance)) add(random.logNormal(ANSWER_MS, NOTICED_SPREAD))
}

/** Plans that a bot looks again at what it just bought. */
export function planSecondLook(
  wakes: WakeQueue,
  { atMs, tokenId }: TradeEvent,
  { index, random }: { readonly index: number; readonly random: Random },
): void {
  wakes.push({ atMs: atMs + random.exponential(SECOND_LOOK_MS), member: index, tokenId })
}
