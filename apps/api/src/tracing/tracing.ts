import type { OrderTrace } from '@papermoon/engine'

/** An open span of a sampled trace. */
export interface Span extends OrderTrace {
  /** As in the `traceparent` header of W3C Trace Context. */
  readonly traceparent: string
  /** Begins a call of a procedure. */
  startCall(call: TracedCall): Span
  end(result: SpanResult): void
}

export interface TracedCall {
  /** Its full name: `trading.buy`. */
  readonly path: string
  readonly type: 'query' | 'mutation'
}

export interface SpanResult {
  readonly attributes?: Readonly<Record<string, string | number>>
  /** The code of the failure, of the caller's or ours; null for none. */
  readonly errorCode: string | null
  /** Whether the failure is the server's. */
  readonly isFault: boolean
}

export interface TracedRequest {
  readonly method: string
  /** The pattern of its address: addresses themselves may contain names. */
  readonly route: string
  /** `traceparent` and `tracestate` continue the caller's trace. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Traces calls and sends the spans to an OpenTelemetry collector. Chooses which calls are sampled. */
export interface Tracing {
  /** Null where the request is not sampled. */
  startRequest(request: TracedRequest): Span | null
  /** Begins the trace of a call without a request of its own, over a socket. Null where it is not sampled. */
  startCall(call: TracedCall): Span | null
  /** Sends what is left, within seconds. */
  close(): Promise<void>
}
