import type { Order, ReceiptOf, TradingDesk } from '../../orders.ts'

/** Answers in one turn of the event loop: the fewer, the sooner reads are answered beside a storm of orders, and the later orders. */
const ANSWERS_A_TURN = 4

/**
 * A desk whose answers come a few in each turn of the event loop. The engine answers hundreds of orders at once; written out at
 * once, and followed by as many new orders at once, they would keep everybody who only reads waiting for all of them.
 */
export function answersInTurns(desk: TradingDesk): TradingDesk {
  const turns = new Turns(ANSWERS_A_TURN)
  return {
    submit: async <O extends Order>(order: O): Promise<ReceiptOf[O['kind']]> => {
      try {
        return await desk.submit(order)
      } finally {
        await turns.pass()
      }
    },
  }
}

/** Lets so many pass in each turn of the event loop, in the order in which they came. */
class Turns {
  readonly #most: number
  #passed = 0
  #waiting: (() => void)[] = []
  #isTurning = false

  constructor(most: number) {
    this.#most = most
  }

  async pass(): Promise<void> {
    if (!this.#isTurning) {
      this.#isTurning = true
      setImmediate(() => this.#turn())
    }
    if (this.#passed < this.#most && this.#waiting.length === 0) this.#passed++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #turn(): void {
    const passing = this.#waiting.splice(0, this.#most)
    this.#passed = passing.length
    this.#isTurning = passing.length > 0
    if (this.#isTurning) setImmediate(() => this.#turn())
    for (const resolve of passing) resolve()
  }
}
