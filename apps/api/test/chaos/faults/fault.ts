/** How large a run of the faults is. */
export interface FaultPlan {
  /** How often a process is killed. */
  readonly rounds: number
  /** How long something is away, or a flood lasts. */
  readonly seconds: number
  /** How long, and how often a second, attackers ask. */
  readonly attack: { readonly seconds: number; readonly perSecond: number }
  /** Clients that hold a connection open and do nothing. */
  readonly clients: number
  /** Whether to see only that it works, and not to wait for what takes minutes. */
  readonly isQuick: boolean
  /** Tells whoever waits. */
  say(line: string): void
}

/** A fault that the market survives. */
export interface Fault {
  readonly name: string
  /** What is done, in a line. */
  readonly about: string
  /** Does it and returns what was seen, in a line. Throws at the first broken promise. */
  run(plan: FaultPlan): Promise<string>
}
