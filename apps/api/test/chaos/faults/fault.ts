/** The size of a run. */
export interface FaultPlan {
  /** Number of kills. */
  readonly rounds: number
  /** Length of an outage or flood. */
  readonly seconds: number
  /** Length of attacks, and their requests per second. */
  readonly attack: { readonly seconds: number; readonly perSecond: number }
  /** Number of silent clients. */
  readonly clients: number
  /** Skips what takes minutes. */
  readonly isQuick: boolean
  /** Upgrades begin with this commit instead of the last release; undefined: none is named. */
  readonly commit: string | undefined
  /** Prints progress. */
  say(line: string): void
}

/** A fault that the market survives. */
export interface Fault {
  readonly name: string
  /** One line for the help. */
  readonly about: string
  /** Runs it; returns the result as one line. Throws at the first broken promise. */
  run(plan: FaultPlan): Promise<string>
}
