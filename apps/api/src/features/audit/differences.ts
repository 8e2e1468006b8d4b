import type { Decimal } from '@papermoon/amm'

/**
 * Max number of differences that a report lists. Every row of a broken market may differ, and the first differences are
 * enough to start with.
 */
const SHOWN_MAX = 100

/** A stored value, and the value that follows from the journal. */
interface Comparison {
  readonly figure: string
  readonly stored: Decimal
  readonly expected: Decimal
}

/** The differences that an audit found. The class counts all of them and lists the first ones. */
export class Differences {
  readonly shown: string[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Adds a difference with a description of where it is and what is wrong. */
  add(where: string, what: string): void {
    this.#count++
    if (this.shown.length < SHOWN_MAX) this.shown.push(`${where}: ${what}`)
  }

  /** Adds a difference for every pair of values that differ. */
  compare(where: string, comparisons: readonly Comparison[]): void {
    for (const { figure, stored, expected } of comparisons) {
      if (!stored.eq(expected)) this.add(where, `${figure} is ${stored.toFixed()}, but should be ${expected.toFixed()}`)
    }
  }
}
