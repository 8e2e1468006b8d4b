import type { MarketEvent } from '../market/events.ts'
import type { BotOrder } from '../orders.ts'
import type { Actor } from './actor.ts'
import type { Venue } from './venue.ts'

export interface SimulationOptions {
  /** If two actors are due at the same time, the one that comes first in this list acts first. */
  readonly actors: readonly Actor[]
  readonly venue: Venue
  readonly fromMs: number
  /** Time at which the simulation ends. No actor acts at this time or later. */
  readonly untilMs: number
  readonly onEvent?: (event: MarketEvent) => void
  readonly onRefusal?: (order: BotOrder, code: string) => void
}

/** Runs a market on a simulated clock. The same actors and venue always give the same events. */
export function simulate({ actors, venue, fromMs, untilMs, onEvent, onRefusal }: SimulationOptions): void {
  let nowMs = fromMs
  for (;;) {
    const actor = findNext(actors)
    if (actor === undefined || actor.nextAtMs >= untilMs) return
    nowMs = Math.max(nowMs, actor.nextAtMs)
    const order = actor.act(nowMs)
    if (order === null) continue
    const outcome = venue.place(order, nowMs)
    if (!outcome.isDone) {
      actor.refused?.(order, outcome.code)
      onRefusal?.(order, outcome.code)
      continue
    }
    for (const event of outcome.events) {
      for (const observer of actors) observer.observe(event)
      onEvent?.(event)
    }
  }
}

function findNext(actors: readonly Actor[]): Actor | undefined {
  let next: Actor | undefined
  for (const actor of actors) if (next === undefined || actor.nextAtMs < next.nextAtMs) next = actor
  return next
}
