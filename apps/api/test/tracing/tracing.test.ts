import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { compileCache } from '@papermoon/db/testing'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { TRACE_HEADER } from '../../src/http/trace-requests.ts'
import { openSocket, shareTestServer, type Visitor } from '../support/test-server.ts'
import { type ReceivedSpan, startTraceCollector } from '../support/trace-collector.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const SENT_WITHIN = { timeout: WAIT_MAX_MS, interval: 50 }
const SERVER = 2
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/

const collector = await startTraceCollector()
afterAll(() => collector.close())
const env = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-team=moon%20shot',
}
vi.stubEnv('OTEL_SERVICE_NAME', 'market')
const server = await shareTestServer({ env, tracesPerSecond: 9_999 })
const player = await server.player('tracer')
const tokenId = await player.launch()

/** Returns a new trace of a caller, with its span. */
function newTrace(flags = '01') {
  const traceId = randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` }
}

/** Waits until exactly the spans with these names have arrived for a trace. */
async function received(traceId: string, names: readonly string[]): Promise<ReadonlyMap<string, ReceivedSpan>> {
  const named = () => new Map(collector.trace(traceId).map((span) => [span.name, span]))
  await expect.poll(() => [...named().keys()].sort(), SENT_WITHIN).toEqual([...names].sort())
  return named()
}

const buy = (visitor: Visitor, headers: Record<string, string>, amount = '0.5') =>
  visitor.post('/api/tokens/buy', { tokenId, solAmount: amount }, headers)

function readTraceId(header: unknown): string {
  return TRACEPARENT.exec(String(header))?.[1] ?? ''
}

const STEPS = [
  'POST /api/tokens/buy',
  'trading.buy',
  'engine queue',
  'engine batch',
  'commit',
  'event delivery',
  'paced receipt',
]

describe('a traced buy', () => {
  it('continues its caller’s trace from the request to the delivery of its event', async () => {
    const { traceId, spanId, traceparent } = newTrace()
    const answer = await buy(player, { traceparent, tracestate: 'vendor=1' })
    expect(answer.statusCode).toBe(200)
    const spans = await received(traceId, STEPS)
    const request = spans.get('POST /api/tokens/buy') as ReceivedSpan
    expect(answer.headers[TRACE_HEADER]).toBe(`00-${traceId}-${request.spanId}-01`)
    expect(request).toMatchObject({ parentSpanId: spanId, kind: SERVER, service: 'market', status: 0 })
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/tokens/buy',
      'http.response.status_code': 200,
    })
    const call = spans.get('trading.buy') as ReceivedSpan
    expect(call.parentSpanId).toBe(request.spanId)
    const steps = ['engine queue', 'engine batch', 'commit', 'event delivery'].map(
      (name) => spans.get(name) as ReceivedSpan,
    )
    for (const step of steps) expect(step.parentSpanId).toBe(call.spanId)
    expect(spans.get('engine batch')?.attributes).toMatchObject({ 'papermoon.batch.orders': 1 })
    // The steps follow one another, and all are within the call.
    const times = [call.startNs, ...steps.flatMap(({ startNs, endNs }) => [startNs, endNs])]
    expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : 1)))
    expect(steps[2]?.endNs).toBeLessThanOrEqual(call.endNs)
    expect(call.endNs).toBeLessThanOrEqual(request.endNs)
  })

  it('names the rule that rejected it, which is not an error', async () => {
    const { traceId, traceparent } = newTrace()
    const answer = await buy(player, { traceparent }, '1000000')
    expect(answer.statusCode).toBe(422)
    const spans = await received(
      traceId,
      STEPS.filter((name) => name !== 'event delivery' && name !== 'paced receipt'),
    )
    const call = spans.get('trading.buy')
    expect(call?.attributes['error.type']).toBe('INSUFFICIENT_BALANCE')
    expect([call?.status, spans.get('POST /api/tokens/buy')?.status]).toEqual([0, 0])
  })

  it('contains nothing about the player', async () => {
    const { traceId, traceparent } = newTrace()
    await buy(player, { traceparent, 'idempotency-key': 'secret-key-of-tracer' })
    await received(traceId, STEPS)
    const text = JSON.stringify(collector.trace(traceId).map(({ attributes }) => attributes))
    expect(text).not.toMatch(/secret-key|tracer|127\.0\.0\.1|cookie/)
  })
})

describe('a trace', () => {
  it('is not recorded for a call that its caller did not sample', async () => {
    const { traceId, traceparent } = newTrace('00')
    const answer = await buy(player, { traceparent })
    expect([answer.statusCode, answer.headers[TRACE_HEADER]]).toEqual([200, undefined])
    const later = newTrace()
    await buy(player, later)
    await received(later.traceId, STEPS)
    expect(collector.trace(traceId)).toEqual([])
  })

  it('starts here if the caller has none, or sends an invalid one', async () => {
    const unreadable: readonly Record<string, string>[] = [
      {},
      { traceparent: '00-nonsense' },
      { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` },
    ]
    for (const headers of unreadable) {
      const answer = await player.query('auth.me')
      expect(answer.headers[TRACE_HEADER]).toMatch(TRACEPARENT)
      const bought = await buy(player, headers)
      const spans = await received(readTraceId(bought.headers[TRACE_HEADER]), STEPS)
      expect(spans.get('POST /api/tokens/buy')?.parentSpanId).toBe('')
    }
  })

  it('has a span for each call of a batch in one request', async () => {
    const answer = await player.get('/trpc/auth.me,site.settings?batch=1')
    const spans = await received(readTraceId(answer.headers[TRACE_HEADER]), ['GET /trpc/*', 'auth.me', 'site.settings'])
    const request = spans.get('GET /trpc/*')
    expect([spans.get('auth.me')?.parentSpanId, spans.get('site.settings')?.parentSpanId]).toEqual([
      request?.spanId,
      request?.spanId,
    ])
  })

  it('is separate for each call over a socket', async () => {
    const port = await server.listen()
    const socket = await openSocket(`ws://127.0.0.1:${port}/trpc`, { cookie: player.cookie ?? '' })
    const input = { json: { tokenId, solAmount: '0.25' } }
    socket.send({ id: 1, method: 'mutation', params: { path: 'trading.buy', input } })
    await socket.next()
    socket.socket.close()
    const roots = () =>
      collector.spans.filter(({ name, parentSpanId }) => name === 'trading.buy' && parentSpanId === '')
    await expect.poll(() => roots().length, SENT_WITHIN).toBe(1)
    await received(roots()[0]?.traceId ?? '', STEPS.slice(1))
  })

  it('is not named again by a response from the cache', async () => {
    const address = `/api/tokens/${tokenId}`
    const first = await player.get(address)
    expect(first.headers[TRACE_HEADER]).toMatch(TRACEPARENT)
    const ids = await Promise.all([player.get(address), player.get(address)])
    for (const { headers } of ids) expect(headers[TRACE_HEADER]).not.toBe(first.headers[TRACE_HEADER])
  })
})

describe('the collector', () => {
  it('gets the headers of the setting', async () => {
    await expect.poll(() => collector.headers.length, SENT_WITHIN).toBeGreaterThan(0)
    for (const headers of collector.headers) expect(headers).toMatchObject({ 'x-team': 'moon shot', url: '/v1/traces' })
  })

  it('is optional: orders succeed without it, and lost spans are counted and logged', async () => {
    // OTLP does not retry after this status.
    collector.answerWith(400)
    const lost = async () => {
      const text = await server.app.platform.metrics.getSingleMetricAsString('papermoon_trace_spans_total')
      return Number(/outcome="lost"\} (\d+)/.exec(text)?.[1])
    }
    expect((await buy(player, {})).statusCode).toBe(200)
    await expect.poll(lost, SENT_WITHIN).toBeGreaterThan(0)
    expect(server.logs.filter(({ msg }) => msg?.includes('OTEL_EXPORTER_OTLP_ENDPOINT'))).toHaveLength(1)
    collector.answerWith(200)
  })
})

describe('without a collector', () => {
  it('loads no part of OpenTelemetry that prom-client does not load anyway', async () => {
    const hooks = `
      import { registerHooks } from 'node:module'
      registerHooks({ resolve(specifier, context, next) {
        if (specifier.includes('opentelemetry')) process.stdout.write(specifier + '\\n')
        return next(specifier, context)
      } })
      await import(process.argv[1])
      process.exit(0)`
    const app = new URL('../../src/app.ts', import.meta.url).href
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', hooks, app], {
      env: { ...process.env, ...compileCache },
    })
    // prom-client imports this package, which contains only types and an empty implementation.
    expect(stdout).toBe('@opentelemetry/api\n')
  })
})
