import type { Measurement } from './report/measurement.ts'

/** How a run of the benches goes. */
export interface BenchContext {
  /** Small sizes and few rounds, to try a bench out; its figures mean nothing. */
  readonly isQuick: boolean
  /** Only what has this in its name; empty for everything. */
  readonly only: string
  /** Whether to tell where the server's time goes; it is slower then. */
  readonly isProfiled: boolean
  /** Interleaved rounds a comparison. */
  readonly rounds: number
  /** Of one side of a round. */
  readonly roundSeconds: number
  /** Tells whoever waits. */
  say(line: string): void
  /** Something about the run worth keeping beside its figures, such as a version or a size. */
  note(name: string, value: string | number): void
}

/** A named part of the benches. */
export interface Suite {
  readonly name: string
  /** What is measured against what, in a line. */
  readonly about: string
  /** Whether it runs where nobody names a suite; always, unless told. */
  isReady?(context: BenchContext): boolean
  run(context: BenchContext): Promise<readonly Measurement[]>
}
