import {
  BusyError,
  type DomainError,
  InsufficientBalanceError,
  InsufficientTokensError,
  NotBegunError,
  OutcomeUnknownError,
  SlippageExceededError,
} from '../../errors.ts'
import type { MarketEvent, Trade } from '../../events/market-events.ts'
import { newRequestKey } from '../../idempotency/request-key.ts'
import type { TokenId, UserId } from '../../ids.ts'
import type { BuyOrder, DryRun, Order, ReceiptByKind, SellOrder, TradeReceipt } from '../../orders.ts'
import type { Delivery, TradingEngine } from '../../trading-engine.ts'
import type { Chance } from './chance.ts'
import { type BookedTrade, ConnectionLostError, type SimulatedConnection } from './simulated-database.ts'
import type { SimulatedProcess } from './simulated-process.ts'

const LOCK_TRIES = 3
const LOCK_PAUSE_MS = 200

interface EngineParts {
  readonly process: SimulatedProcess
  readonly connection: SimulatedConnection
  readonly chance: Chance
  readonly ignoresDeadlines: boolean
  publish(events: readonly MarketEvent[]): void
}

/** State that a decision is based on. */
interface View {
  readonly seq: number
  readonly price: number
  readonly version: number
  readonly balance: number
  readonly held: number
  readonly prior: BookedTrade | null
}

type Traded = BuyOrder | SellOrder

interface Run {
  readonly order: Traded
  readonly requestKey: string
  readonly mayBeRepeat: boolean
  readonly notAfterMs: number
}

/**
 * A node's own engine, with one order a batch: the two ways of the real one to write (on a condition, or under locks), and its
 * promises about declined orders, repeats and lost answers.
 */
export class SimulatedEngine implements TradingEngine {
  readonly #parts: EngineParts
  readonly #inFlight = new Map<string, Promise<TradeReceipt>>()
  readonly #transactions = new Set<object>()
  #isClosed = false

  constructor(parts: EngineParts) {
    this.#parts = parts
  }

  submit<O extends Order>(order: O, delivery?: Delivery): Promise<ReceiptByKind[O['kind']]> {
    return this.#submit(order as unknown as Traded, delivery) as unknown as Promise<ReceiptByKind[O['kind']]>
  }

  dryRun<O extends Order>(): Promise<DryRun<O['kind']>> {
    return Promise.reject(new BusyError())
  }

  async findPending(): Promise<null> {
    return null
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#inFlight.values())
  }

  /** Its process was killed: PostgreSQL ends its transactions sooner or later. */
  abandon(): void {
    for (const transaction of this.#transactions) this.#parts.connection.abandon(transaction)
  }

  async #submit(order: Traded, delivery?: Delivery): Promise<TradeReceipt> {
    if (this.#isClosed) throw new BusyError()
    const requestKey = order.requestKey ?? newRequestKey()
    const key = `${order.userId}:${requestKey}`
    const same = this.#inFlight.get(key)
    if (same !== undefined) return { ...(await same), isRepeat: true }
    const answer = this.#run({
      order,
      requestKey,
      mayBeRepeat: order.requestKey !== undefined && delivery?.isFresh !== true,
      notAfterMs: delivery?.notAfterMs ?? Number.POSITIVE_INFINITY,
    })
    this.#inFlight.set(key, answer)
    try {
      return await answer
    } finally {
      this.#inFlight.delete(key)
    }
  }

  async #run(run: Run): Promise<TradeReceipt> {
    const { chance } = this.#parts
    await this.#pause(chance.isOnce(10) ? chance.between(20, 1_500) : chance.between(0, 10))
    return chance.isOnce(2) ? await this.#runLocked(run) : await this.#runOnCondition(run)
  }

  /** One statement, which fails where a row is not as the decision saw it. */
  async #runOnCondition(run: Run): Promise<TradeReceipt> {
    const { connection, chance } = this.#parts
    const { database } = connection
    const view = await connection.run(() => this.#read(run)).catch(() => null)
    if (view === null) return await this.#runLocked(run)
    if (view.prior !== null) return toReceipt(view.prior, { isRepeat: true })
    const refusal = findBrokenRule(view, run.order)
    await this.#pause(chance.between(0, 5))
    if (this.#isExpired(run)) throw new NotBegunError()
    const written = await this.#sendFinal(run, () => {
      if (database.isLocked(toRows(run.order), null)) return 'locked'
      const now = this.#read(run)
      if (now.seq !== view.seq || now.version !== view.version) return 'stale'
      if (refusal !== null) return 'refused'
      return this.#insert(run)
    })
    if (written === 'locked') throw new BusyError()
    if (written === 'stale') return await this.#runLocked(run)
    if (written === 'refused') throw refusal
    return await this.#answer(run, written)
  }

  async #runLocked(run: Run): Promise<TradeReceipt> {
    const transaction = {}
    this.#transactions.add(transaction)
    try {
      return await this.#runIn(transaction, run)
    } finally {
      this.#transactions.delete(transaction)
    }
  }

  async #runIn(transaction: object, run: Run): Promise<TradeReceipt> {
    const { database } = this.#parts.connection
    const view = await this.#lock(transaction, run)
    const refusal = view.prior === null ? findBrokenRule(view, run.order) : null
    const isExpired = this.#isExpired(run)
    if (isExpired || refusal !== null || view.prior !== null) {
      await this.#send(transaction, () => database.unlock(transaction))
      if (isExpired) throw new NotBegunError()
      if (refusal !== null) throw refusal
      return toReceipt(view.prior as BookedTrade, { isRepeat: true })
    }
    const written = await this.#sendFinal(run, () => {
      // PostgreSQL has ended the transaction meanwhile.
      if (!database.holdsLocks(transaction)) return 'ended'
      const inserted = this.#insert(run)
      database.unlock(transaction)
      return inserted
    }).catch((error: unknown) => {
      this.#parts.connection.abandon(transaction)
      throw error
    })
    if (written === 'ended') throw new BusyError()
    return await this.#answer(run, written)
  }

  async #lock(transaction: object, run: Run): Promise<View> {
    const { database } = this.#parts.connection
    const rows = toRows(run.order)
    for (let i = 0; i < LOCK_TRIES; i++) {
      const view = await this.#send(transaction, () => {
        if (database.isLocked(rows, transaction)) return null
        database.lock(rows, transaction)
        return this.#read(run)
      })
      if (view !== null) return view
      await this.#pause(LOCK_PAUSE_MS)
    }
    throw new BusyError()
  }

  /** Before the commit: without its answer nothing is written. */
  async #send<T>(transaction: object, statement: () => T): Promise<T> {
    try {
      return await this.#parts.connection.run(statement)
    } catch {
      this.#parts.connection.abandon(transaction)
      throw new BusyError()
    }
  }

  /** The commit: without its answer the outcome is unknown. */
  async #sendFinal<T>({ requestKey }: Run, statement: () => T): Promise<T> {
    try {
      return await this.#parts.connection.run(statement)
    } catch (error) {
      if (error instanceof ConnectionLostError) throw new OutcomeUnknownError(requestKey)
      throw error
    }
  }

  #insert({ order, requestKey }: Run): BookedTrade | 'taken' {
    const { database } = this.#parts.connection
    const { userId, tokenId, kind: side, spendingKeyId: call = 0 } = order
    if (database.byKey.has(`${userId}:${requestKey}`)) return 'taken'
    return database.insert({ userId, tokenId, requestKey, side, call })
  }

  async #answer(run: Run, written: BookedTrade | 'taken'): Promise<TradeReceipt> {
    if (written === 'taken') return await this.#runLocked({ ...run, mayBeRepeat: true })
    this.#parts.publish([toEvent(written)])
    return toReceipt(written)
  }

  #read({ order, requestKey, mayBeRepeat }: Run): View {
    const { database } = this.#parts.connection
    const prior = mayBeRepeat ? (database.byKey.get(`${order.userId}:${requestKey}`) ?? null) : null
    return { ...database.token(order.tokenId), ...database.account(order.userId), prior }
  }

  #isExpired({ notAfterMs }: Run): boolean {
    const { process, ignoresDeadlines } = this.#parts
    return !ignoresDeadlines && notAfterMs < process.runtime.nowMs()
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => void this.#parts.process.runtime.after(ms, resolve))
  }
}

function toRows({ userId, tokenId }: Traded): string[] {
  return [`token ${tokenId}`, `account ${userId}`]
}

/** The least amounts stand for the highest price of a buy and the lowest of a sale. */
function findBrokenRule({ price, balance, held }: View, order: Traded): DomainError | null {
  const { userId: _, ...rest } = order
  if (rest.kind === 'buy') {
    if (balance < 1) return new InsufficientBalanceError(rest.sol, rest.sol)
    return rest.minTokensOut?.lt(price) === true ? new SlippageExceededError(`${price}`, `${rest.minTokensOut}`) : null
  }
  if (held < 1) return new InsufficientTokensError(rest.tokens)
  return rest.minSolOut?.gt(price) === true ? new SlippageExceededError(`${price}`, `${rest.minSolOut}`) : null
}

function toTrade({ id, tokenId, seq, side, userId }: BookedTrade): Trade {
  const figures = { solAmount: '1', fee: '0', tokenAmount: '1', price: '1', spotPrice: '1' }
  const who = { userId: userId as UserId, username: `player ${userId}`, isBot: false }
  return { id, tokenId: tokenId as TokenId, seq, side, ...figures, createdAt: '2026-01-01T00:00:00.000Z', ...who }
}

function toReceipt(booked: BookedTrade, repeat: { readonly isRepeat?: true } = {}): TradeReceipt {
  return { trade: toTrade(booked), position: { balance: '1', amount: '1', cost: '1' }, ...repeat }
}

function toEvent(booked: BookedTrade): MarketEvent {
  const trade = toTrade(booked)
  const { tokenId, seq } = trade
  const pool = { solReserve: '1', tokenReserve: '1', realSol: '1' }
  return { type: 'trade', tokenId, seq, trade, pool, currentPrice: '1', marketCap: '1', volume: '1', holding: '1' }
}
