import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readRequest } from './read-request.ts'

/** A span as a collector receives it, with its attributes as an object. Times are in ns since 1970. */
export interface ReceivedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly startNs: bigint
  readonly endNs: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  /** 2 means error. */
  readonly status: number
  readonly service: unknown
}

/** A collector that accepts traces by OTLP over HTTP, as JSON. */
export interface TraceCollector {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** Headers of the requests so far. */
  readonly headers: readonly Readonly<Record<string, unknown>>[]
  /** Returns the spans of a trace. */
  trace(traceId: string): ReceivedSpan[]
  /** Responds with this status from now on. */
  answerWith(status: number): void
  close(): Promise<void>
}

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean }
type Attributes = readonly { readonly key: string; readonly value: Value }[]

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string
        readonly kind: number
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly startTimeUnixNano: string
        readonly endTimeUnixNano: string
        readonly attributes: Attributes
        readonly status: { readonly code?: number }
      }[]
    }[]
  }[]
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = []
  const headers: Record<string, unknown>[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const body = await readRequest(request)
    if (body === null) return
    headers.push({ ...request.headers, url: request.url })
    const isTraces = request.method === 'POST' && request.url === '/v1/traces'
    if (status === 200 && isTraces) spans.push(...readSpans(JSON.parse(body.toString()) as Exported))
    response.writeHead(isTraces ? status : 404, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    trace: (traceId) => spans.filter((span) => span.traceId === traceId),
    answerWith: (next) => {
      status = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function readSpans({ resourceSpans }: Exported): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        startNs: BigInt(span.startTimeUnixNano),
        endNs: BigInt(span.endTimeUnixNano),
        attributes: toObject(span.attributes),
        status: span.status.code ?? 0,
        service: toObject(resource.attributes)['service.name'],
      })),
    ),
  )
}

function toObject(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
