import type { Measurement } from './report/measurement.ts'

/** Options and services of a bench run. */
export interface BenchContext {
  /**
   * Whether to use small sizes and few rounds, to find out only whether a bench works. With this option, the results
   * mean nothing.
   */
  readonly isQuick: boolean
  /** Text in the names of the cases to run. An empty text selects all cases. */
  readonly only: string
  /** Whether to profile the server, which slows it down. */
  readonly isProfiled: boolean
  /** Number of rounds per comparison. In each round, the compared sides take turns. */
  readonly rounds: number
  /** How long each side of a round lasts, in seconds. */
  readonly roundSeconds: number
  /** Stops everything that was started for this suite or case when it ends, in reverse order. */
  readonly cleanup: AsyncDisposableStack
  /** Prints a line about the progress. */
  say(line: string): void
}

/** Runs a part of a bench. When the part ends, stops everything that the part started. */
export async function runPart<T>(context: BenchContext, work: (context: BenchContext) => Promise<T>): Promise<T> {
  await using cleanup = new AsyncDisposableStack()
  return await work({ ...context, cleanup })
}

/** A suite of benches. */
export interface Suite {
  readonly name: string
  /** One line that says what is compared. */
  readonly about: string
  /** Returns whether the suite runs when the command names no suite (default: true). */
  isReady?(context: BenchContext): boolean
  run(context: BenchContext): Promise<readonly Measurement[]>
}
