import type { Measurement } from './report/measurement.ts'

/** Options and services of a bench run. */
export interface BenchContext {
  /** Small sizes and few rounds, to try a bench; the results mean nothing. */
  readonly isQuick: boolean
  /** Runs only cases whose name contains this; empty for all. */
  readonly only: string
  /** Whether to profile the server, which slows it down. */
  readonly isProfiled: boolean
  /** Interleaved rounds per comparison. */
  readonly rounds: number
  /** Duration of one side of a round. */
  readonly roundSeconds: number
  /** Simulated days of each case of `exploit`, if they were named. */
  readonly days: number | undefined
  /** Prints progress. */
  say(line: string): void
  /** Adds a remark to the results, such as a version or a size. */
  note(name: string, value: string | number): void
}

/** A named suite. */
export interface Suite {
  readonly name: string
  /** Describes the comparison in one line. */
  readonly about: string
  /** Whether it runs when no suite is named. Default true. */
  isReady?(context: BenchContext): boolean
  run(context: BenchContext): Promise<readonly Measurement[]>
}
