import { computeReach, Decimal, launchPool, solText, spotPrice, tokensText } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { Trade } from '@papermoon/contract/market-events'
import { refText } from '../../../amm/test/reference.ts'
import { applyBatch } from '../../src/batch/apply-batch.ts'
import { Market, NO_SEAL, type TokenPool, WaitingCounts, withBalance } from '../../src/batch/market.ts'
import { type PendingOrder, toUnqueued } from '../../src/order-queue.ts'
import type { Order } from '../../src/orders.ts'
import { EMPTY_READS } from '../../src/sql/read.ts'
import { OrderRange, type RangeEdges } from '../../src/waiting/order-range.ts'
import { NO_BOOK, type WaitingChange, type WaitingOrder } from '../../src/waiting/waiting-order.ts'
import type { RefMarket, RefPlaced } from './reference.ts'

const TOKEN = 1 as TokenId

/** An act in both markets. */
export type Act =
  | { readonly act: 'trade'; readonly player: number; readonly side: 'buy' | 'sell'; readonly amount: bigint }
  | { readonly act: 'place'; readonly placed: RefPlaced }
  | { readonly act: 'cancel'; readonly player: number; readonly id: number }

/** Applies the engine's rules to an array instead of the database. Ranges and batches are as small as a test wants. */
export class ModelMarket {
  readonly orders = new Map<number, WaitingChange>()
  readonly trades: string[] = []
  readonly sales: Trade[] = []
  /** The most steps that a batch took. */
  stepsMax = 0
  readonly #market = new Market()
  readonly #size: () => number
  #lastId = 0

  constructor(players: number, sol: bigint, size: () => number) {
    this.#size = size
    for (let id = 1; id <= players; id++) {
      const account = { id, userId: id as UserId, username: `player-${id}` }
      this.#market.setAccount(withBalance(account, new Decimal(refText(sol, 9))))
    }
    const pool = launchPool()
    this.#market.setPool({
      tokenId: TOKEN,
      pool,
      fees: new Decimal(0),
      price: spotPrice(pool),
      seq: 0,
      lastEventAtMs: 0,
      chainHead: '0'.repeat(64),
      isHidden: false,
      creatorId: 0 as UserId,
      seal: NO_SEAL,
      book: NO_BOOK,
      closing: null,
    })
  }

  get pool(): TokenPool {
    const pool = this.#market.pool(TOKEN)
    if (pool === undefined) throw new Error('no pool')
    return pool
  }

  /** Carries out all acts in one batch, and then the batches that it leaves. */
  run(acts: readonly Act[]): void {
    let waiting = acts.map((act) => toUnqueued(toOrder(act), `key-${keys++}`, false))
    for (let batches = 0; waiting.length > 0 || this.pool.book.running !== null; batches++) {
      if (batches > 500) throw new Error('a cascade does not end')
      waiting = [...this.#runBatch(waiting)]
    }
  }

  /** Returns the state in the form of the reference. */
  describe(reference: RefMarket): object {
    const players = Array.from({ length: reference.players }, (_, i) => i + 1)
    return {
      pool: [solText(this.pool.pool.sol), tokensText(this.pool.pool.tokens)],
      sol: players.map((id) => this.#market.account(id)?.balanceText),
      tokens: players.map((id) => tokensText(this.#market.position(TOKEN, id as UserId).amount)),
      trades: this.trades,
      orders: [...this.orders.values()].map(({ order, state, cause }) => {
        return [order.id, state, cause, order.fills, order.left.toFixed(), order.kind !== 'buy' && order.below === null]
      }),
    }
  }

  #runBatch(orders: readonly PendingOrder[]): readonly PendingOrder[] {
    const range = this.#readWindow()
    const steps = this.#size()
    const waitingCounts = new WaitingCounts()
    for (const { owner } of this.#waiting()) waitingCounts.add(owner.userId, TOKEN, 1)
    range.stepsMax = steps
    const { deferred, changes } = applyBatch(this.#market, orders, {
      nowMs: 0,
      reads: {
        ...EMPTY_READS,
        nextTokenId: () => TOKEN,
        ranges: new Map([[TOKEN, range]]),
        waiting: new Map(this.orders),
        waitingCounts,
        nextOrderId: () => ++this.#lastId,
      },
    })
    this.stepsMax = Math.max(this.stepsMax, range.steps)
    for (const { event } of changes.entries('trade')) {
      const { userId, side, solAmount, tokenAmount } = event.trade
      if (side === 'sell') this.sales.push(event.trade)
      this.trades.push(`${userId - 1} ${side} ${side === 'buy' ? solAmount : tokenAmount}`)
    }
    // Sort the changed orders of a batch by id, which is the order in which they were placed.
    const changed = [...changes.waiting.values()].sort((a, b) => a.order.id - b.order.id)
    for (const { order, state, cause, endedAtMs } of changed)
      this.orders.set(order.id, { order, state, cause, endedAtMs })
    this.#setFigures()
    return deferred
  }

  #waiting(): WaitingOrder[] {
    return [...this.orders.values()].filter(({ state }) => state === 'waiting').map(({ order }) => order)
  }

  /** Sets the nearest triggers in the pool, like `WRITE_BOOKS`. */
  #setFigures(): void {
    const [below, above] = [this.#waiting().map((order) => order.below), this.#waiting().map((order) => order.above)]
    const figures = {
      below: nearest(below, (prices) => Decimal.max(...prices)),
      above: nearest(above, (prices) => Decimal.min(...prices)),
    }
    this.#market.setPool({ ...this.pool, book: { ...this.pool.book, ...figures } })
  }

  /** Reads the nearest orders of each list from the price on, like `selectRanges`. */
  #readWindow(): OrderRange {
    const { pool, price, book } = this.pool
    const { buysFrom, salesTo } = computeReach(pool)
    const { running } = book
    const buysAt = running === null ? price : Decimal.max(running.from, buysFrom)
    const stopsAt = running === null ? price : Decimal.max(running.from, running.low)
    const salesAt = running === null ? price : Decimal.min(running.from, salesTo)
    const open = this.#waiting().filter(({ filledIn }) => running === null || filledIn !== book.cascade)
    const size = this.#size()
    const found = new Set<WaitingOrder>()
    const list = (column: 'below' | 'above', way: 1 | -1, fits: (order: WaitingOrder, trigger: Decimal) => boolean) => {
      const fitting = open.filter((order) => order[column] !== null && fits(order, order[column]))
      fitting.sort((a, b) => way * (a[column]?.cmp(b[column] ?? 0) ?? 0) || a.placedAtMs - b.placedAtMs || a.id - b.id)
      const taken = fitting.slice(0, size)
      for (const order of taken) found.add(order)
      const last = taken[size - 1]
      const trigger = last?.[column]
      return last && trigger ? { ...last, trigger } : null
    }
    const edges: RangeEdges = {
      buysLow: list('below', -1, ({ kind }, trigger) => kind === 'buy' && trigger.lte(buysAt)),
      buysHigh: list('below', 1, ({ kind }, trigger) => kind === 'buy' && trigger.gt(buysAt)),
      stopsLow: list('below', -1, ({ kind }, trigger) => kind !== 'buy' && trigger.lte(stopsAt)),
      stopsHigh: list('below', 1, ({ kind }, trigger) => kind !== 'buy' && trigger.gt(stopsAt)),
      salesHigh: list('above', 1, (_, trigger) => trigger.gte(salesAt)),
      salesLow: list('above', -1, (_, trigger) => trigger.lt(salesAt)),
    }
    return new OrderRange([...found], edges, running === null ? null : book.cascade)
  }
}

/** Returns the reference's state in the same form. */
export function describeReference(market: RefMarket): object {
  return {
    pool: [refText(market.pool.sol, 9), refText(market.pool.tokens, 6)],
    sol: market.sol.map((sol) => refText(sol, 9)),
    tokens: market.tokens.map((tokens) => refText(tokens, 6)),
    trades: market.trades.map((trade) => {
      const [player, side, amount] = trade.split(' ')
      return `${player} ${side} ${refText(BigInt(amount ?? 0), side === 'buy' ? 9 : 6)}`
    }),
    orders: market.orders.map(({ id, kind, state, cause, fills, left, isTriggered }) => {
      const isSale = kind === 'sale' || isTriggered
      return [id, state, cause, fills, refText(left, kind === 'buy' ? 9 : 6), kind !== 'buy' && isSale]
    }),
  }
}

export function doAct(market: RefMarket, act: Act): void {
  if (act.act === 'trade') market.trade(act.player, act.side, act.amount)
  else if (act.act === 'place') market.place(act.placed)
  else if (market.orders[act.id - 1]?.player === act.player) market.cancel(act.id)
}

export function toOrder(
  act: Act,
  tokenId: TokenId = TOKEN,
  toUserId = (player: number) => (player + 1) as UserId,
): Order {
  const price = (units: bigint | null) => (units === null ? null : new Decimal(refText(units, 18)))
  if (act.act === 'cancel') return { kind: 'cancel', userId: toUserId(act.player), tokenId, ids: [act.id] }
  if (act.act === 'trade') {
    const userId = toUserId(act.player)
    if (act.side === 'buy') return { kind: 'buy', userId, tokenId, sol: new Decimal(refText(act.amount, 9)) }
    return { kind: 'sell', userId, tokenId, tokens: new Decimal(refText(act.amount, 6)) }
  }
  const { player, kind, amount, price: limit, stopPrice, leastPrice } = act.placed
  const terms = {
    kind,
    amount: new Decimal(refText(amount, kind === 'buy' ? 9 : 6)),
    price: price(limit),
    stopPrice: price(stopPrice),
    leastPrice: price(leastPrice),
  }
  return { kind: 'place', userId: toUserId(player), tokenId, terms, lastsMs: 3_600_000 }
}

let keys = 0

function nearest(all: readonly (Decimal | null)[], choose: (prices: readonly Decimal[]) => Decimal): Decimal | null {
  const prices = all.filter((price) => price !== null)
  return prices.length === 0 ? null : choose(prices)
}
