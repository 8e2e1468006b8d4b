import { performance } from 'node:perf_hooks'
import type { Order, ReceiptByKind } from './orders.ts'
import type { TradingEngine } from './trading-engine.ts'

/** Min number of receipts per turn of the event loop. A lower number makes reads faster during bursts of orders. */
const PER_TURN_MIN = 3
/** Number of receipts per ms of the previous turn, so that a long turn is followed by more receipts. */
const PER_MS = 1

/**
 * Wraps an engine so that only a few receipts resolve per turn of the event loop. The engine responds to hundreds of
 * orders at once. If they all resolved in one turn, their responses and the next orders would delay every read.
 * Rejections are cheap, so they are not delayed.
 */
export function paceReceipts(engine: TradingEngine): TradingEngine {
  const pacer = new Pacer()
  return {
    submit: async <O extends Order>(order: O): Promise<ReceiptByKind[O['kind']]> => {
      const receipt = await engine.submit(order)
      const { trace } = order
      const startMs = trace === undefined ? 0 : performance.now()
      await pacer.pass()
      trace?.record({ name: 'pace', startMs, endMs: performance.now() })
      return receipt
    },
    dryRun: (order) => engine.dryRun(order),
    findPending: (userId, requestKey) => engine.findPending(userId, requestKey),
    close: async () => {
      pacer.end()
      await engine.close()
    },
  }
}

/** Resolves waiting callers in order, a few per turn of the event loop. */
class Pacer {
  #passed = 0
  #turnedMs = 0
  #waiting: (() => void)[] = []
  #isTurning = false
  #isEnded = false

  async pass(): Promise<void> {
    if (this.#isEnded) return
    if (!this.#isTurning) {
      this.#isTurning = true
      this.#turnedMs = performance.now()
      setImmediate(() => this.#turn())
    }
    if (this.#passed < PER_TURN_MIN && this.#waiting.length === 0) this.#passed++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Resolves all callers at once from now on. */
  end(): void {
    this.#isEnded = true
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #turn(): void {
    const nowMs = performance.now()
    const max = Math.max(PER_TURN_MIN, Math.floor((nowMs - this.#turnedMs) * PER_MS))
    this.#turnedMs = nowMs
    const passing = this.#waiting.splice(0, max)
    this.#passed = passing.length
    this.#isTurning = passing.length > 0
    if (this.#isTurning) setImmediate(() => this.#turn())
    for (const resolve of passing) resolve()
  }
}
