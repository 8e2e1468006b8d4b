import type { MarketEvent, TradeEvent } from '../market/events.ts'
import { MINUTE_MS } from '../market/figures.ts'
import type { TokenView } from '../market/views.ts'
import type { Random } from '../random/random.ts'
import type { WakeQueue } from './wake-queue.ts'

/** Bots of a fleet that may react to an event. */
export interface Reactors {
  /** Indexes of the bots that are the first to buy new tokens. */
  readonly quick: readonly number[]
  readonly memberCount: number
  readonly random: Random
}

/** Median delays after which the first bots notice a launch, in ms. People, too, need time to see, think and click. */
const NOTICED_MS = [9_000, 14_000, 22_000, 40_000]
const NOTICED_SPREAD = 0.5
/** Number of bots that look at a new token later, and the mean time between them in ms. */
const VISITORS = 9
const VISITS_MS = 55_000
/** Number of trades after which a token is no longer new. */
const FIRST_TRADES = 3
const ANSWER_CHANCE = 0.35
const ANSWER_MS = 15_000
/** Mean time until a bot looks again at a token that it bought, in ms. The mean time is shorter for new tokens. */
const SECOND_LOOK_MS = 150_000
const NEW_MS = 10 * MINUTE_MS
const LOOKS_AT_NEW_MS = [45_000, 80_000, 120_000, 180_000, 260_000]

/** Plans bots' looks in response to a stranger's launch, seal or trade. */
export function planReactions(wakes: WakeQueue, event: MarketEvent, token: TokenView, from: Reactors): void {
  if (event.type === 'rug' || (event.type === 'seal' && event.kind === 'expired')) return
  const { random, memberCount, quick } = from
  const { atMs, tokenId } = event
  const add = (delayMs: number, isQuick = false) => {
    const member = isQuick && quick.length > 0 ? random.pick(quick) : random.int(memberCount)
    wakes.push({ atMs: atMs + delayMs, member, tokenId })
  }
  // Ignore a seal that comes with the launch, because the launch already causes looks.
  const isSealedLater = event.type === 'seal' && event.kind === 'sealed' && atMs - token.createdAtMs > MINUTE_MS
  if (event.type === 'launch' || isSealedLater) {
    let visitMs = 0
    for (const medianMs of NOTICED_MS) add(random.logNormal(medianMs, NOTICED_SPREAD), true)
    for (let visitor = 0; visitor < VISITORS; visitor++) {
      visitMs += random.exponential(VISITS_MS)
      add(visitMs)
    }
    return
  }
  const chance = token.tradeCount <= FIRST_TRADES ? 1 : ANSWER_CHANCE
  if (random.chance(chance)) add(random.logNormal(ANSWER_MS, NOTICED_SPREAD))
}

/** Plans another look by a bot at the token that it just bought. */
export function planSecondLook(
  wakes: WakeQueue,
  { atMs, tokenId }: TradeEvent,
  { index, random, token }: { readonly index: number; readonly random: Random; readonly token: TokenView | undefined },
): void {
  const isNew = token !== undefined && atMs - token.createdAtMs < NEW_MS
  if (!isNew) {
    wakes.push({ atMs: atMs + random.exponential(SECOND_LOOK_MS), member: index, tokenId })
    return
  }
  for (const meanMs of LOOKS_AT_NEW_MS) wakes.push({ atMs: atMs + random.exponential(meanMs), member: index, tokenId })
}
