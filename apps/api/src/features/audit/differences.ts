import type { Decimal } from '@papermoon/amm'

/** A broken market may differ in every row; whoever mends it begins with the first. */
const SHOWN_MAX = 100

/** What stands and what the journal gives, and the name of the figure. */
interface Comparison {
  readonly figure: string
  readonly stands: Decimal
  readonly expected: Decimal
}

/** What an audit found: every difference counted, the first ones named. */
export class Differences {
  readonly shown: string[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  /** One sentence: where it is and what is wrong there. */
  add(where: string, what: string): void {
    this.#count++
    if (this.shown.length < SHOWN_MAX) this.shown.push(`${where}: ${what}`)
  }

  /** Names each figure that is not exactly what it has to be. */
  compare(where: string, comparisons: readonly Comparison[]): void {
    for (const { figure, stands, expected } of comparisons) {
      if (!stands.eq(expected)) this.add(where, `${figure} is ${stands.toFixed()} and has to be ${expected.toFixed()}`)
    }
  }
}
