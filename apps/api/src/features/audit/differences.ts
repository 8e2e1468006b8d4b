import type { Decimal } from '@papermoon/amm'

/**
 * Max number of differences that are listed. A broken market may differ in every row, and the first differences are
 * enough to start with.
 */
const SHOWN_MAX = 100

/** A value as stored, and as the journal gives it. */
interface Comparison {
  readonly figure: string
  readonly stored: Decimal
  readonly expected: Decimal
}

/** The differences that an audit found. All are counted, the first are listed. */
export class Differences {
  readonly shown: string[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Adds one sentence: where the difference is, and what is wrong. */
  add(where: string, what: string): void {
    this.#count++
    if (this.shown.length < SHOWN_MAX) this.shown.push(`${where}: ${what}`)
  }

  /** Adds each value that differs. */
  compare(where: string, comparisons: readonly Comparison[]): void {
    for (const { figure, stored, expected } of comparisons) {
      if (!stored.eq(expected)) this.add(where, `${figure} is ${stored.toFixed()}, but should be ${expected.toFixed()}`)
    }
  }
}
