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
  /** Stops everything that was started for this suite or case when it ends, the last thing first. */
  readonly cleanup: AsyncDisposableStack
  /** Prints progress. */
  say(line: string): void
}

/** Runs a part of a bench. What the part starts is stopped when it ends. */
export async function runPart<T>(context: BenchContext, work: (context: BenchContext) => Promise<T>): Promise<T> {
  await using cleanup = new AsyncDisposableStack()
  return await work({ ...context, cleanup })
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
