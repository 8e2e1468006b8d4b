import { computeReach, Decimal, type Price, type Reach } from '@papermoon/amm'
import { type RunningCascade, STEPS_MAX, type WaitingOrder } from './waiting-order.ts'

/** The lists from which a range is read: buys and stops by `below`, sales by `above`. */
export type WaitingList = 'buys' | 'stops' | 'sales'

/**
 * The last order that was read in one direction. Orders that were not read have a farther trigger or were placed later.
 */
export interface Edge extends Placed {
  readonly trigger: Price
}

/** The last order read in each direction, or null if there are no more orders. */
export interface RangeEdges {
  readonly buysLow: Edge | null
  readonly buysHigh: Edge | null
  readonly stopsLow: Edge | null
  readonly stopsHigh: Edge | null
  readonly salesLow: Edge | null
  readonly salesHigh: Edge | null
}

/** An order with one of its triggers. */
export interface Turn {
  readonly order: WaitingOrder
  readonly list: WaitingList
  readonly trigger: Price
}

interface RankedTurn extends Turn {
  /** Distance of the trigger from the price before the cascade. */
  readonly distance: Decimal
}

interface Reached extends Reach {
  readonly low: Price
}

export type NumberedCascade = RunningCascade & { readonly cascade: number }

/**
 * A token's orders that the batch has read. The range finds the next order, or finds out that the next order may be
 * outside the range.
 */
export class OrderRange {
  /** Number of steps that the token's cascade has made in this batch. */
  steps = 0
  stepsMax = STEPS_MAX
  readonly #edges: RangeEdges
  /** Number of the cascade whose filled orders are not in the range, or null if the range contains all orders. */
  readonly #onlyCascade: number | null
  readonly #orders = new Map<number, WaitingOrder>()
  #turns: RankedTurn[] = []
  #rankedFor: number | null = null

  constructor(orders: readonly WaitingOrder[], edges: RangeEdges, onlyCascade: number | null = null) {
    for (const order of orders) this.#orders.set(order.id, order)
    this.#edges = edges
    this.#onlyCascade = onlyCascade
  }

  get orders(): Iterable<WaitingOrder> {
    return this.#orders.values()
  }

  get(id: number): WaitingOrder | undefined {
    return this.#orders.get(id)
  }

  /** Returns whether the range contains all orders that the cascade may fill. */
  serves(cascade: number): boolean {
    return this.#onlyCascade === null || this.#onlyCascade === cascade
  }

  /** Adds an order, or replaces it if its triggers or its remaining amount have changed. */
  set(order: WaitingOrder): void {
    const before = this.#orders.get(order.id)
    this.#orders.set(order.id, order)
    if (before?.below === order.below && before?.above === order.above) return
    // Sort the turns again on the next call, which is rarely needed.
    this.#rankedFor = null
  }

  remove(id: number): void {
    this.#orders.delete(id)
  }

  /**
   * Returns the next turn at this pool, null if there is none, or undefined if an order outside the range may come
   * first.
   */
  next(pool: Parameters<typeof computeReach>[0], running: NumberedCascade): Turn | null | undefined {
    if (this.#rankedFor !== running.cascade) this.#rank(running)
    const reached = { ...computeReach(pool), low: running.low }
    const turn = this.#turns.find((one) => this.#isDue(one, running.cascade) && isReached(one, reached)) ?? null
    if (this.#findUnknown(reached, running.from).some((gap) => comesFirst(gap, turn, running.from))) return undefined
    return turn && { ...turn, order: this.#orders.get(turn.order.id) ?? turn.order }
  }

  #rank({ cascade, from }: NumberedCascade): void {
    this.#turns = [...this.#orders.values()]
      .flatMap(toTurns)
      .map((turn) => ({ ...turn, distance: turn.trigger.sub(from).abs() }))
      .sort(comparePrecedence)
    this.#rankedFor = cascade
  }

  /** Returns whether an order still has this trigger and this cascade has not filled it. */
  #isDue({ order: { id }, list, trigger }: Turn, cascade: number): boolean {
    const order = this.#orders.get(id)
    return (
      order !== undefined && order.filledIn !== cascade && (list === 'sales' ? order.above : order.below) === trigger
    )
  }

  /** Returns the nearest reached triggers that orders outside the range may have. */
  #findUnknown({ buysFrom, salesTo, low }: Reached, from: Price): Gap[] {
    const { buysLow, buysHigh, stopsLow, stopsHigh, salesLow, salesHigh } = this.#edges
    const gaps: (Gap | null)[] = [
      buysHigh && { edge: buysHigh, trigger: Decimal.max(buysHigh.trigger, buysFrom, from) },
      buysLow && toGap(buysLow, { from, least: buysFrom, most: buysLow.trigger }),
      stopsHigh && { edge: stopsHigh, trigger: Decimal.max(stopsHigh.trigger, low, from) },
      stopsLow && toGap(stopsLow, { from, least: low, most: stopsLow.trigger }),
      salesHigh && toGap(salesHigh, { from, least: salesHigh.trigger, most: salesTo }),
      salesLow && { edge: salesLow, trigger: Decimal.min(salesLow.trigger, salesTo, from) },
    ]
    return gaps.filter((gap) => gap !== null)
  }
}

/**
 * Returns whether an order outside the range may fill before a cascade's next turn. If such an order has the trigger of
 * the last order that was read, it was placed later.
 */
function comesFirst({ edge, trigger }: Gap, turn: RankedTurn | null, from: Price): boolean {
  if (turn === null) return true
  const distance = trigger.sub(from).abs()
  if (!distance.eq(turn.distance)) return distance.lt(turn.distance)
  return !trigger.eq(edge.trigger) || comparePlaced(turn.order, edge) > 0
}

/** A trigger that orders outside the range may have. */
interface Gap {
  readonly edge: Edge
  readonly trigger: Price
}

/** Returns the trigger nearest to `from` in a range, or null if the range is empty. */
function toGap(
  edge: Edge,
  { from, least, most }: { readonly from: Price; readonly least: Price; readonly most: Price },
): Gap | null {
  return least.gt(most) ? null : { edge, trigger: Decimal.max(least, Decimal.min(most, from)) }
}

function toTurns(order: WaitingOrder): Turn[] {
  const { kind, below, above } = order
  const turns: Turn[] = []
  if (below !== null) turns.push({ order, list: kind === 'buy' ? 'buys' : 'stops', trigger: below })
  if (above !== null) turns.push({ order, list: 'sales', trigger: above })
  return turns
}

function isReached({ list, trigger }: Turn, { buysFrom, salesTo, low }: Reached): boolean {
  if (list === 'sales') return trigger.lte(salesTo)
  return trigger.gte(list === 'buys' ? buysFrom : low)
}

/** Sorts by the nearest trigger, then by age, oldest first. */
function comparePrecedence(a: RankedTurn, b: RankedTurn): number {
  return a.distance.cmp(b.distance) || comparePlaced(a.order, b.order)
}

type Placed = Pick<WaitingOrder, 'id' | 'placedAtMs'>

/** Sorts by age, oldest first, then by id. */
export function comparePlaced(a: Placed, b: Placed): number {
  return a.placedAtMs - b.placedAtMs || a.id - b.id
}
