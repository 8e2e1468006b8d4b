/** One step of an order inside the engine. Times are in ms of the monotonic clock. */
export interface OrderStep {
  readonly name: 'queue' | 'batch' | 'commit' | 'events' | 'pace'
  readonly startMs: number
  readonly endMs: number
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

/** Follows one order through the engine. Only orders that are sampled have one. */
export interface OrderTrace {
  /** Takes a step that has ended. Must not throw. */
  record(step: OrderStep): void
}
