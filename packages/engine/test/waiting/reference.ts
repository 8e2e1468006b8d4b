import { type RefPool, refBuy, refLaunch, refPrice, refSell } from '../../../amm/test/reference.ts'

/**
 * A second implementation of waiting orders, slow and simple: all orders are in one array, which is searched after
 * every trade. It computes with BigInt in whole lamports, micro-tokens and 10⁻¹⁸ SOL per token, and shares no code with
 * the engine.
 */
export interface RefOrder {
  readonly id: number
  readonly player: number
  readonly kind: 'buy' | 'sale' | 'stop' | 'bracket'
  /** Limit price in 10⁻¹⁸ SOL per token, or null. */
  readonly price: bigint | null
  readonly stopPrice: bigint | null
  readonly leastPrice: bigint | null
  /** What is left, in lamports for a buy and in micro-tokens for the others. */
  left: bigint
  isTriggered: boolean
  filledIn: number
  fills: number
  state: 'waiting' | 'filled' | 'cancelled'
  cause: string | null
}

export type RefPlaced = Pick<RefOrder, 'player' | 'kind' | 'price' | 'stopPrice' | 'leastPrice'> & {
  readonly amount: bigint
}

/** The smallest order, 0.001 SOL: in lamports, and in lamports · 10⁻¹⁸ for products of micro-tokens and prices. */
const LEAST = 10n ** 6n
const LEAST_WORTH = 10n ** 21n

interface RefTrigger {
  readonly at: bigint
  readonly isStop: boolean
}

export class RefMarket {
  pool: RefPool = refLaunch()
  readonly sol: bigint[]
  readonly tokens: bigint[]
  readonly orders: RefOrder[] = []
  /** All trades as `player side amount`. */
  readonly trades: string[] = []
  readonly players: number
  #cascade = 0

  constructor(players: number, sol: bigint) {
    this.players = players
    this.sol = Array.from({ length: players }, () => sol)
    this.tokens = Array.from({ length: players }, () => 0n)
  }

  get spot(): bigint {
    return refPrice(this.pool.sol, this.pool.tokens)
  }

  /** Carries out a trade from outside, and all fills that follow. */
  trade(player: number, side: 'buy' | 'sell', amount: bigint): void {
    const from = this.spot
    if (this.#apply(player, side, amount) === null) this.#follow(from)
  }

  place({ amount, ...terms }: RefPlaced): void {
    if (!this.#mayPlace({ amount, ...terms })) return
    const id = this.orders.length + 1
    const order: RefOrder = {
      ...terms,
      id,
      left: amount,
      isTriggered: false,
      filledIn: 0,
      fills: 0,
      state: 'waiting',
      cause: null,
    }
    this.orders.push(order)
    if (this.#isReached(order, this.spot)) this.#follow(this.spot)
  }

  cancel(id: number): void {
    const order = this.orders[id - 1]
    if (order?.state === 'waiting') this.#end(order, 'cancelled', 'PLAYER')
  }

  #mayPlace({ player, kind, amount, price, stopPrice, leastPrice }: RefPlaced): boolean {
    if (stopPrice !== null && stopPrice >= this.spot) return false
    const waiting = this.orders.filter((order) => order.player === player && order.state === 'waiting')
    if (waiting.length >= 20) return false
    if (kind === 'buy') return amount >= LEAST && amount <= (this.sol[player] ?? 0n)
    return amount * (leastPrice ?? stopPrice ?? price ?? 0n) >= LEAST_WORTH && amount <= (this.tokens[player] ?? 0n)
  }

  /** Fills one order after another, and searches all orders each time. */
  #follow(from: bigint): void {
    this.#cascade++
    let low = this.spot
    for (;;) {
      const due = this.orders
        .filter((order) => order.state === 'waiting' && order.filledIn !== this.#cascade && this.#isReached(order, low))
        .sort((a, b) => this.#compare(a, b, { from, low }))
      const [next] = due
      if (next === undefined) return
      this.#takeTurn(next, { from, low })
      if (this.spot < low) low = this.spot
    }
  }

  #compare(a: RefOrder, b: RefOrder, { from, low }: { from: bigint; low: bigint }): number {
    const [near, far] = [this.#nearest(a, { from, low }), this.#nearest(b, { from, low })]
    if (near.distance === far.distance) return a.id - b.id
    return near.distance < far.distance ? -1 : 1
  }

  /** Returns the nearest trigger that was reached, with the stop first. */
  #nearest(order: RefOrder, { from, low }: { from: bigint; low: bigint }): RefTrigger & { readonly distance: bigint } {
    const [first, second] = this.#reachedTriggers(order, low).map((trigger) => {
      return { ...trigger, distance: trigger.at < from ? from - trigger.at : trigger.at - from }
    })
    if (first === undefined) throw new Error('an order that is not reached has its turn')
    return second !== undefined && second.distance < first.distance ? second : first
  }

  #isReached(order: RefOrder, low: bigint): boolean {
    return this.#reachedTriggers(order, low).length > 0
  }

  #reachedTriggers(order: RefOrder, low: bigint): RefTrigger[] {
    const { sol, tokens } = this.pool
    const [bound, stop] = [toBound(order), order.isTriggered ? null : order.stopPrice]
    const room = this.#room()
    const triggers: RefTrigger[] = []
    if (stop !== null && stop >= low) triggers.push({ at: stop, isStop: true })
    if (bound === null) return triggers
    const product = bound * sol * tokens
    if (order.kind === 'buy' && product >= (sol + room) ** 2n * 10n ** 15n) triggers.push({ at: bound, isStop: false })
    if (order.kind !== 'buy' && product <= (sol - room) ** 2n * 10n ** 15n) triggers.push({ at: bound, isStop: false })
    return triggers
  }

  /** Returns the SOL that a fill needs between the price and its bound. */
  #room(): bigint {
    const loss = this.pool.sol * (2n * this.spot + 2n * 10n ** 15n)
    const room = (loss + 10n ** 21n - 1n) / 10n ** 21n
    return room > LEAST ? room : LEAST
  }

  #takeTurn(order: RefOrder, prices: { readonly from: bigint; readonly low: bigint }): void {
    if (this.#nearest(order, prices).isStop) {
      order.isTriggered = true
      if (!this.#isReached(order, prices.low)) return
    }
    const [have, isShort] = this.#have(order)
    const error = isShort
      ? order.kind === 'buy'
        ? 'INSUFFICIENT_BALANCE'
        : 'INSUFFICIENT_TOKENS'
      : this.#apply(order.player, order.kind === 'buy' ? 'buy' : 'sell', have)
    if (error !== null) {
      this.#end(order, 'cancelled', error)
      return
    }
    order.left -= have
    order.fills++
    order.filledIn = this.#cascade
    if (this.#isUsedUp(order)) this.#end(order, 'filled', null)
  }

  /** Returns the amount of a fill, and whether its player has too little. */
  #have(order: RefOrder): [bigint, boolean] {
    const bound = toBound(order) ?? 0n
    if (order.kind === 'buy') {
      const most = least(order.left, this.sol[order.player] ?? 0n)
      return [search(most, (x) => this.#fitsBuy(x, bound)), most < LEAST]
    }
    const held = least(order.left, this.tokens[order.player] ?? 0n)
    return [search(held, (x) => this.#fitsSale(x, bound)), held < order.left && held * this.spot < LEAST_WORTH]
  }

  #fitsBuy(x: bigint, bound: bigint): boolean {
    const { sol, tokens } = this.pool
    return (1000n * sol + 997n * x) ** 2n * 10n ** 15n <= bound * sol * tokens * 10n ** 6n
  }

  #fitsSale(x: bigint, bound: bigint): boolean {
    const { sol, tokens } = this.pool
    return (tokens + x) ** 2n * bound <= sol * tokens * 10n ** 15n
  }

  #isUsedUp(order: RefOrder): boolean {
    if (order.left === 0n) return true
    if (order.kind === 'buy') return order.left < LEAST
    // For a bracket, use the least price of its stop.
    const bound = toBound(order.leastPrice === null ? order : { ...order, isTriggered: true }) ?? 0n
    return bound > 0n && order.left * bound < LEAST_WORTH
  }

  #end(order: RefOrder, state: RefOrder['state'], cause: string | null): void {
    order.state = state
    order.cause = cause
  }

  /** Carries out a trade. Returns the code of the error, or null. */
  #apply(player: number, side: 'buy' | 'sell', amount: bigint): string | null {
    const [sol, tokens] = [this.sol[player] ?? 0n, this.tokens[player] ?? 0n]
    if (side === 'sell' && amount > tokens) return 'INSUFFICIENT_TOKENS'
    const done = side === 'buy' ? refBuy(this.pool, amount) : refSell(this.pool, amount)
    if ('error' in done) return done.error
    if (side === 'buy' && amount > sol) return 'INSUFFICIENT_BALANCE'
    this.sol[player] = 'solOut' in done ? sol + done.solOut : sol - amount
    this.tokens[player] = 'tokensOut' in done ? tokens + done.tokensOut : tokens - amount
    this.pool = done.pool
    this.trades.push(`${player} ${side} ${amount}`)
    return null
  }
}

/** Returns the spot price at which a buy or sale stops, or null if the order has no limit yet. */
function toBound({ kind, price, leastPrice, isTriggered }: RefOrder): bigint | null {
  if (kind === 'buy') return ((price ?? 0n) * 997n) / 1000n
  if (isTriggered) return leastPrice === null ? 0n : (leastPrice * 1000n + 996n) / 997n
  return price === null ? null : (price * 1000n + 996n) / 997n
}

/** Returns the largest whole number up to `most` that fits. */
function search(most: bigint, fits: (x: bigint) => boolean): bigint {
  if (fits(most)) return most
  let [low, high] = [0n, most]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
