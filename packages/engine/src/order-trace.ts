/** One step of an order inside the engine. Times are in ms of the monotonic clock. */
export interface OrderStep {
  readonly name: 'queue' | 'batch' | 'commit' | 'events' | 'pace'
  readonly startMs: number
  readonly endMs: number
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

/** Traces one order through the engine. Only sampled orders have a trace. */
export interface OrderTrace {
  /** Records a step. Must not throw. */
  record(step: OrderStep): void
}
