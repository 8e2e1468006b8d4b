import type { Measurement } from './report/measurement.ts'

/** Options and services of a bench run. */
export interface BenchContext {
  /** Whether to use small sizes and few rounds, only to try out a bench. The results then mean nothing. */
  readonly isQuick: boolean
  /** Text in the names of the cases to run. Empty for all cases. */
  readonly only: string
  /** Whether to profile the server, which slows it down. */
  readonly isProfiled: boolean
  /** Number of rounds per comparison. In each round, the sides take turns. */
  readonly rounds: number
  /** How long one side of a round lasts, in seconds. */
  readonly roundSeconds: number
  /** Stops everything that was started for this suite or case when it ends, in reverse order. */
  readonly cleanup: AsyncDisposableStack
  /** Prints progress. */
  say(line: string): void
}

/** Runs a part of a bench. At its end, stops everything that it started. */
export async function runPart<T>(context: BenchContext, work: (context: BenchContext) => Promise<T>): Promise<T> {
  await using cleanup = new AsyncDisposableStack()
  return await work({ ...context, cleanup })
}

/** A suite of benches. */
export interface Suite {
  readonly name: string
  /** One line that describes the comparison. */
  readonly about: string
  /** Returns whether the suite runs when the command names no suite (default: true). */
  isReady?(context: BenchContext): boolean
  run(context: BenchContext): Promise<readonly Measurement[]>
}
