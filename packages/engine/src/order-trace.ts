/** One step of an order inside the engine, with times in ms of the monotonic clock. */
export interface OrderStep {
  readonly name: 'queue' | 'batch' | 'commit' | 'events' | 'pace'
  readonly startMs: number
  readonly endMs: number
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

/** Records an order's way through the engine. Only sampled orders have a trace. */
export interface OrderTrace {
  /** Records a step, without throwing. */
  record(step: OrderStep): void
}
