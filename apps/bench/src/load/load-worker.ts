import { performance } from 'node:perf_hooks'
import autocannon from 'autocannon'
import { replyToParent } from './ask-worker.ts'
import { toRestBuy, toTrpcBuy } from './buy.ts'
import { buyOverSockets } from './buy-over-sockets.ts'
import type { LoadPlan, LoadResult, OrderPlan } from './plans.ts'
import { summarize } from './summarize.ts'

/** How often autocannon checks whether it was stopped, in ms. */
const CHECK_MS = 50
/** Max duration of a load in seconds. Autocannon would drop all requests without a response after a fixed duration. */
const DURATION_MAX_S = 3_600

/** Runs a load over HTTP. The promise rejects if the server rejects a request, or when a connection ends. */
async function runOverHttp(plan: LoadPlan): Promise<LoadResult> {
  const latenciesMs: number[] = []
  let fault: string | null = null
  let connected = 0
  const connections = 'paths' in plan ? plan.connections : plan.cookies.length
  const ended = Promise.withResolvers<unknown>()
  const startedMs = performance.now()
  const options: autocannon.Options = {
    url: `http://127.0.0.1:${plan.port}`,
    connections,
    duration: DURATION_MAX_S,
    sampleInt: CHECK_MS,
    ...('paths' in plan
      ? { requests: plan.paths.map((path) => ({ path })) }
      : { setupClient: (client) => client.setRequests([toOrders(plan, plan.cookies[connected++])]) }),
  }
  const load = autocannon(options, (error) => (error ? ended.reject(error) : ended.resolve(null)))
  /** Stops the load when its time is over. On a slow machine, it lasts until there are enough responses. */
  const stopInTime = () => {
    const isOver = performance.now() >= startedMs + plan.seconds * 1_000 && latenciesMs.length >= connections
    if (isOver || fault !== null) load.stop()
  }
  // Use the times of single responses, because autocannon's own histogram has whole milliseconds.
  load.on('response', (_client, status, _bytes, tookMs) => {
    if (status === 200) latenciesMs.push(tookMs)
    else fault ??= `${status} in a load of ${'paths' in plan ? plan.paths.join(', ') : plan.transport}`
    stopInTime()
  })
  load.on('reqError', ({ message }) => {
    fault ??= message
    stopInTime()
  })
  await ended.promise
  if (fault !== null) throw new Error(fault)
  return summarize(latenciesMs, startedMs)
}

/** Returns a request of autocannon that becomes another order each time. */
function toOrders({ transport, tokenId }: OrderPlan, cookie: string | undefined): autocannon.Request {
  const format = transport === 'rest' ? toRestBuy : toTrpcBuy
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const { headers, ...order } = format({ tokenId, cookie })
    return { ...request, ...order, method: 'POST', headers: { ...headers, cookie, 'content-type': 'application/json' } }
  }
  return { setupRequest }
}

replyToParent<LoadPlan, LoadResult>((plan) =>
  'transport' in plan && plan.transport === 'trpc-socket' ? buyOverSockets(plan) : runOverHttp(plan),
)
