import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { OrderStep } from '@papermoon/engine'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Span, SpanResult, TracedCall, TracedRequest, Tracing } from './tracing.ts'

const SECOND_MS = 1_000

/** Max number of new traces per second. Reads have one limit, and other calls have another one. */
const PER_SECOND = 20
const EXPORT_EVERY_MS = 1_000
const EXPORT_MAX_MS = 5_000
/** Max number of spans that wait for the collector. Spans above this number are dropped. */
const WAITING_MAX = 4_096
const BATCH_MAX = 512
/** Min time between two log lines about an unreachable collector, in ms. */
const QUIET_MS = 60_000
/** Max length of `tracestate` in characters. A longer `tracestate` is ignored. */
const TRACESTATE_CHARS_MAX = 512

const propagator = new W3CTraceContextPropagator()

interface Parts {
  readonly settings: NonNullable<Config['tracing']>
  readonly perSecond?: number | undefined
  readonly log: Logger
  readonly metrics: Registry
}

/**
 * Creates tracing with OpenTelemetry. The tracing sends spans to a collector by OTLP over HTTP as JSON, and registers
 * nothing globally.
 */
export function createOtlpTracing({ settings, perSecond = PER_SECOND, log, metrics }: Parts): Tracing {
  const { endpoint, headers } = settings
  const exporter = countExports(
    new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: { ...headers }, timeoutMillis: EXPORT_MAX_MS }),
    { log, metrics },
  )
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: WAITING_MAX,
    maxExportBatchSize: BATCH_MAX,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_MAX_MS,
  })
  const own = { 'service.name': 'papermoon', 'service.instance.id': `${hostname()}:${process.pid}` }
  const provider = new TracerProvider({
    resource: resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] })),
    // Sample every span, because the server starts spans only for selected calls.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('papermoon')
  // Use separate budgets for reads and orders. There are many more reads than orders, so reads would use up a shared
  // budget.
  const budgets = { reads: new TraceBudget(perSecond), others: new TraceBudget(perSecond) }
  return {
    startRequest: (request) => startRequest(tracer, budgets, request),
    startCall: (call) => {
      if (!(call.type === 'query' ? budgets.reads : budgets.others).spend()) return null
      return startCall({ tracer, parent: ROOT_CONTEXT, clockMs: readClockMs() }, call)
    },
    close: () =>
      provider.shutdown().catch((error: unknown) => log.debug({ err: error }, 'the last spans were not sent')),
  }
}

/** Continues the caller's trace if that trace is sampled. If the caller has no trace, begins one. */
function startRequest(
  tracer: Tracer,
  budgets: { readonly reads: TraceBudget; readonly others: TraceBudget },
  { method, route, headers }: TracedRequest,
): Span | null {
  const parent = extractParent(headers)
  const caller = trace.getSpanContext(parent)
  if (caller !== undefined && (caller.traceFlags & TraceFlags.SAMPLED) === 0) return null
  if (!(method === 'GET' || method === 'HEAD' ? budgets.reads : budgets.others).spend()) return null
  const clockMs = readClockMs()
  const attributes = { 'http.request.method': method, 'http.route': route }
  const startTime = clockMs + performance.now()
  const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes, startTime }, parent)
  return new OtlpSpan(span, { tracer, parent, clockMs })
}

function extractParent({ traceparent, tracestate }: TracedRequest['headers']): Context {
  if (typeof traceparent !== 'string') return ROOT_CONTEXT
  const isShort = typeof tracestate === 'string' && tracestate.length <= TRACESTATE_CHARS_MAX
  const carrier = { traceparent, ...(isShort && { tracestate }) }
  return propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter)
}

/**
 * The parent of a span, and the Unix time at which the monotonic clock was 0. All times in a trace are based on this
 * time, so they are consistent.
 */
interface SpanParent {
  readonly tracer: Tracer
  readonly parent: Context
  readonly clockMs: number
}

function readClockMs(): number {
  return Date.now() - performance.now()
}

function startCall({ tracer, parent, clockMs }: SpanParent, { path, type }: TracedCall): Span {
  const attributes = { 'rpc.system': 'trpc', 'rpc.method': path, 'papermoon.call.type': type }
  const span = tracer.startSpan(path, { attributes, startTime: clockMs + performance.now() }, parent)
  return new OtlpSpan(span, { tracer, parent, clockMs })
}

const STEPS: Readonly<Record<OrderStep['name'], { readonly name: string; readonly attributes?: Attributes }>> = {
  queue: { name: 'engine queue' },
  batch: { name: 'engine batch' },
  commit: { name: 'commit', attributes: { 'db.system.name': 'postgresql' } },
  events: { name: 'event delivery' },
  pace: { name: 'paced receipt' },
}

function recordStep({ tracer, parent, clockMs }: SpanParent, { name, startMs, endMs, attributes }: OrderStep): void {
  const step = STEPS[name]
  const span = tracer.startSpan(
    step.name,
    {
      kind: name === 'commit' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: { ...step.attributes, ...attributes },
      startTime: clockMs + startMs,
    },
    parent,
  )
  span.end(clockMs + endMs)
}

class OtlpSpan implements Span {
  readonly traceparent: string
  readonly #span: OtelSpan
  /** The context for the children of the span. */
  readonly #parent: SpanParent

  constructor(span: OtelSpan, { tracer, parent, clockMs }: SpanParent) {
    const { traceId, spanId } = span.spanContext()
    this.traceparent = `00-${traceId}-${spanId}-01`
    this.#span = span
    this.#parent = { tracer, parent: trace.setSpan(parent, span), clockMs }
  }

  startCall(call: TracedCall): Span {
    return startCall(this.#parent, call)
  }

  record(step: OrderStep): void {
    recordStep(this.#parent, step)
  }

  end({ attributes, errorCode, isFault }: SpanResult): void {
    if (attributes !== undefined) this.#span.setAttributes(attributes)
    if (errorCode !== null) this.#span.setAttribute('error.type', errorCode)
    if (isFault) this.#span.setStatus({ code: SpanStatusCode.ERROR })
    this.#span.end(this.#parent.clockMs + performance.now())
  }
}

/** Counts sent and failed spans, and logs when the collector becomes unreachable. */
function countExports(exporter: SpanExporter, { log, metrics }: Omit<Parts, 'settings'>): SpanExporter {
  const spans = new Counter({
    name: 'papermoon_trace_spans_total',
    help: 'Spans that were sent to the collector, or were lost because it did not take them.',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  })
  for (const outcome of ['sent', 'lost']) spans.inc({ outcome }, 0)
  let quietUntilMs = 0
  return {
    export: (batch: ReadableSpan[], done) =>
      exporter.export(batch, (result) => {
        const isSent = result.code === ExportResultCode.SUCCESS
        spans.inc({ outcome: isSent ? 'sent' : 'lost' }, batch.length)
        if (!isSent && performance.now() >= quietUntilMs) {
          quietUntilMs = performance.now() + QUIET_MS
          log.warn({ err: result.error }, 'the collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take traces')
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  }
}

/**
 * Limits the number of traces per second. After a pause, up to a tenth of this number may start at once. A quiet server
 * therefore traces every call, and a busy server spends only limited time on traces.
 */
export class TraceBudget {
  readonly #perSecond: number
  readonly #burst: number
  readonly #now: () => number
  #left: number
  #atMs: number

  /** `now` returns the time of a monotonic clock in ms. */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond
    this.#burst = Math.max(1, perSecond / 10)
    this.#now = now
    this.#left = this.#burst
    this.#atMs = now()
  }

  /** Returns whether one more trace is allowed, and counts it. */
  spend(): boolean {
    const nowMs = this.#now()
    this.#left = Math.min(this.#burst, this.#left + ((nowMs - this.#atMs) * this.#perSecond) / SECOND_MS)
    this.#atMs = nowMs
    if (this.#left < 1) return false
    this.#left--
    return true
  }
}
