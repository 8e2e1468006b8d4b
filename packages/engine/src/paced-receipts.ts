import { performance } from 'node:perf_hooks'
import type { Order, ReceiptOf } from './orders.ts'
import type { TradingEngine } from './trading-engine.ts'

/** Answers that pass in one turn of the event loop, at least: the fewer, the sooner reads are answered beside a storm of orders. */
const LEAST_A_TURN = 3
/** And for each ms that the last turn took: where turns are long by what else is asked, orders still get their share of the time. */
const A_MS = 1

/**
 * An engine whose receipts come a few in each turn of the event loop. The engine answers hundreds of orders at once; written out at
 * once, and followed by as many new orders at once, they would keep everybody who only reads waiting for all of them. Refusals are
 * short, and are passed on as they come.
 */
export function paceReceipts(engine: TradingEngine): TradingEngine {
  const turns = new Turns()
  return {
    submit: async <O extends Order>(order: O): Promise<ReceiptOf[O['kind']]> => {
      const receipt = await engine.submit(order)
      await turns.pass()
      return receipt
    },
    close: async () => {
      turns.end()
      await engine.close()
    },
  }
}

/** Lets a few pass in each turn of the event loop, in the order in which they came. */
class Turns {
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
    if (this.#passed < LEAST_A_TURN && this.#waiting.length === 0) this.#passed++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** From now on everybody passes at once. */
  end(): void {
    this.#isEnded = true
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #turn(): void {
    const nowMs = performance.now()
    const most = Math.max(LEAST_A_TURN, Math.floor((nowMs - this.#turnedMs) * A_MS))
    this.#turnedMs = nowMs
    const passing = this.#waiting.splice(0, most)
    this.#passed = passing.length
    this.#isTurning = passing.length > 0
    if (this.#isTurning) setImmediate(() => this.#turn())
    for (const resolve of passing) resolve()
  }
}
