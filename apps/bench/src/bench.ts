import type { Measurement } from './report/measurement.ts'

/** Options and services of a bench run. */
export interface BenchContext {
  /** Whether to use small sizes and few rounds, to try a bench. The results then mean nothing. */
  readonly isQuick: boolean
  /** Text that a case's name must contain to run; empty for all cases. */
  readonly only: string
  /** Whether to profile the server, which slows it down. */
  readonly isProfiled: boolean
  /** Number of interleaved rounds per comparison. */
  readonly rounds: number
  /** How long one side of a round lasts, in seconds. */
  readonly roundSeconds: number
  /** Number of simulated days for each case of `exploit`, if the command line names it. */
  readonly days: number | undefined
  /** Prints progress. */
  say(line: string): void
  /** Adds a remark to the results, such as a version or a size. */
  note(name: string, value: string | number): void
}

/** A named suite. */
export interface Suite {
  readonly name: string
  /** One line that describes the comparison. */
  readonly about: string
  /** Returns whether the suite runs when no suite is named. Default: true. */
  isReady?(context: BenchContext): boolean
  run(context: BenchContext): Promise<readonly Measurement[]>
}
