import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { type BenchContext, runPart, type Suite } from '../bench.ts'
import { makeScratchMarket } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { type HeldSockets, holdSockets } from '../fanout/hold-sockets.ts'
import type { Kind } from '../fanout/listen.ts'
import { recordMessage } from '../fanout/record-message.ts'
import { atPace } from '../load/at-pace.ts'
import { buyOnce } from '../load/buy.ts'
import { compare, measureEach } from '../load/interleave.ts'
import type { Measurement, Round, Target } from '../report/measurement.ts'
import { type ChildServer, startChildServer } from '../servers/child-server.ts'
import { type RunningMarket, startMarket } from '../servers/start-market.ts'

const BUYERS = 128
const TOKEN = 1
/** Number of trades per second at the steady rate. With 2,000 sockets, this rate means 20,000 messages per second. */
const STEADY_PER_SECOND = 10
/** Max number of outstanding messages per socket at the highest rate. This number is well below the server's limit. */
const BEHIND_MAX = 32

export const fanout: Suite = {
  name: 'fanout',
  about:
    'messages per second that thousands of sockets or event streams receive for trades, against a bare server that sends the same bytes',
  run: async (context) => {
    const sockets = context.isQuick ? 200 : 2_000
    const dataDir = await makeScratchMarket(context, unevenMarket({ tokens: 50, players: 500, trades: 500 }))
    return await measureEach(context, CASES, (one) =>
      runPart(context, (part) => measureOn({ context: part, dataDir, sockets }, one)),
    )
  },
}

interface FanoutCase {
  readonly name: string
  readonly kind: Kind
  /** Target for the ratio of Papermoon's messages per second to the bare server's. */
  readonly target: Target
}

const CASES: readonly FanoutCase[] = [
  { name: '/ws', kind: 'events', target: { min: 5 } },
  { name: '/api/events', kind: 'sse', target: { min: 0.8 } },
  { name: 'subscriptions', kind: 'subscriptions', target: { min: 2 } },
]

interface FanoutRun {
  readonly context: BenchContext
  readonly dataDir: string
  readonly sockets: number
}

/** A server, the sockets that listen to it, and the orders that cause events. */
interface Side {
  readonly server: ChildServer
  readonly held: HeldSockets
  /** Places an order of one of the buyers. */
  order(n: number): Promise<unknown>
}

async function measureOn(run: FanoutRun, { name, kind, target }: FanoutCase): Promise<Measurement[]> {
  const { context } = run
  const market = await startMarket(context, run.dataDir, BUYERS)
  const subject = await openSide(run, market.server, { kind, cookies: market.cookies })
  const baseline = await openBare(run, kind, market)
  const measure = (rate: string, perSecond: number | null, most: Target | null) => {
    const about = { suite: 'fanout', name: `${name}, ${rate}`, figure: 'perSecond', target: most }
    const seconds = context.roundSeconds * 2
    const side = (of: Side) => () => measureDelivery(of, seconds, perSecond)
    return compare(context, about, { baseline: side(baseline), subject: side(subject) })
  }
  return [
    await measure(`${STEADY_PER_SECOND} trades/s`, STEADY_PER_SECOND, null),
    await measure('highest rate', null, target),
  ]
}

async function openSide(
  { context, sockets }: FanoutRun,
  server: ChildServer,
  { kind, cookies, path }: { readonly kind: Kind; readonly cookies: readonly string[]; readonly path?: string },
): Promise<Side> {
  const { port } = server
  const held = await holdSockets(context, { port, kind, tokenId: TOKEN, sockets })
  const order = (n: number) => buyOnce(port, { tokenId: TOKEN, cookie: cookies[n % BUYERS] }, path)
  return { server, held, order }
}

/** Opens the bare server, which sends a copy of one of Papermoon's messages. */
async function openBare(run: FanoutRun, kind: Kind, { port, cookies }: RunningMarket): Promise<Side> {
  const message = await recordMessage({ port, tokenId: TOKEN, cookie: cookies[0] }, kind)
  const server = await startChildServer(run.context, ['apps/bench/src/servers/bare-events.ts'])
  // The blocks of an event stream end with an empty line. The listener has removed this line, so add it again.
  await server.tell({ message: kind === 'sse' ? `${message}\n\n` : message })
  return await openSide(run, server, { kind: kind === 'sse' ? kind : 'events', cookies, path: '/' })
}

/** Measures what the sockets receive while orders arrive, and the server's CPU time per message. */
async function measureDelivery(
  { server, held, order }: Side,
  seconds: number,
  perSecond: number | null,
): Promise<Round> {
  const deliver = async () => {
    let trades = 0
    const delivery = await held.during(async (countReceived) => {
      if (perSecond !== null) trades = (await atPace({ perSecond, seconds }, order)).length
      else trades = await orderFast(order, { seconds, countReceived })
      return trades
    })
    return { ...delivery, tradesPerSecond: trades / seconds, answered: trades * held.count }
  }
  return await server.measureCpu(deliver())
}

/** Lets all buyers place orders as fast as the sockets receive the events. Returns the number of orders. */
async function orderFast(
  order: Side['order'],
  { seconds, countReceived }: { readonly seconds: number; countReceived(): number },
): Promise<number> {
  const untilMs = performance.now() + seconds * 1_000
  let sent = 0
  const drive = async (buyer: number) => {
    while (performance.now() < untilMs) {
      if (sent - countReceived() > BEHIND_MAX) await delay(1)
      else {
        sent++
        await order(buyer)
      }
    }
  }
  await Promise.all(Array.from({ length: BUYERS }, (_, buyer) => drive(buyer)))
  return sent
}
