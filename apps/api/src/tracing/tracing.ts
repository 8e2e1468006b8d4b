import type { OrderTrace } from '@papermoon/engine'

/** A span of a sampled trace; the span has not ended yet. */
export interface Span extends OrderTrace {
  /** The value for the `traceparent` header of W3C Trace Context. */
  readonly traceparent: string
  /** Starts the span of a procedure call. */
  startCall(call: TracedCall): Span
  end(result: SpanResult): void
}

export interface TracedCall {
  /** The procedure's full name, such as `trading.buy`. */
  readonly path: string
  readonly type: 'query' | 'mutation'
}

export interface SpanResult {
  readonly attributes?: Readonly<Record<string, string | number>>
  /** The error code, if the caller or the server caused an error. Null if there is none. */
  readonly errorCode: string | null
  /** Whether the server caused the error. */
  readonly isFault: boolean
}

export interface TracedRequest {
  readonly method: string
  /** The pattern of the route, because URLs may contain names. */
  readonly route: string
  /** The headers of the request. `traceparent` and `tracestate` contain the caller's trace. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Traces calls and sends the spans to an OpenTelemetry collector. The tracing chooses which calls to sample. */
export interface Tracing {
  /** Starts the span of a request; returns null if the request is not sampled. */
  startRequest(request: TracedRequest): Span | null
  /** Starts the trace of a call over a socket, where there is no request. Returns null if the call is not sampled. */
  startCall(call: TracedCall): Span | null
  /** Sends the remaining spans within seconds. */
  close(): Promise<void>
}
