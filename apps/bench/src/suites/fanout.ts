import { type BenchContext, runPart, type Suite } from '../bench.ts'
import { makeScratchMarket } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { type HeldSockets, holdSockets } from '../fanout/hold-sockets.ts'
import type { Kind } from '../fanout/listen.ts'
import { recordMessage } from '../fanout/record-message.ts'
import { compare, measureEach } from '../load/interleave.ts'
import type { OrderPlan } from '../load/plans.ts'
import { runLoad } from '../load/run-load.ts'
import type { Measurement, Round, Target } from '../report/measurement.ts'
import { type ChildServer, startChildServer } from '../servers/child-server.ts'
import { openRunDatabase, startPapermoon } from '../servers/papermoon-server.ts'
import { signInPlayers } from '../servers/sign-in-players.ts'

const BUYERS = 128
const TOKEN = 1
/** Number of trades per second at the steady rate. With 2,000 sockets, this rate means 20,000 messages per second. */
const STEADY_PER_SECOND = 10

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

/** A server and the sockets that listen to it. */
interface Side {
  readonly server: ChildServer
  readonly held: HeldSockets
  readonly order: Pick<OrderPlan, 'port' | 'transport' | 'tokenId' | 'cookies'>
}

async function measureOn(run: FanoutRun, { name, kind, target }: FanoutCase): Promise<Measurement[]> {
  const { context } = run
  const subject = await openPapermoon(run, kind)
  const baseline = await openBare(run, kind, subject)
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

async function openPapermoon({ context, dataDir, sockets }: FanoutRun, kind: Kind): Promise<Side> {
  const server = await startPapermoon(context, dataDir)
  const cookies = await signInPlayers(openRunDatabase(context, dataDir), BUYERS)
  const { port } = server
  const held = await holdSockets(context, { port, kind, tokenId: TOKEN, sockets })
  return { server, held, order: { port, transport: 'rest', tokenId: TOKEN, cookies } }
}

/** Opens the bare server, which sends a copy of one of Papermoon's messages. */
async function openBare({ context, sockets }: FanoutRun, kind: Kind, { order }: Side): Promise<Side> {
  const message = await recordMessage(order, kind)
  const server = await startChildServer(context, ['apps/bench/src/servers/bare-events.ts'])
  const { port } = server
  // The blocks of an event stream end with an empty line. The listener has removed this line, so add it again.
  await server.tell({ message: kind === 'sse' ? `${message}\n\n` : message })
  const plan = { port, kind: kind === 'sse' ? kind : ('events' as const), tokenId: TOKEN, sockets }
  return { server, held: await holdSockets(context, plan), order: { ...order, port, transport: 'bare' } }
}

/** Measures what the sockets receive while orders arrive, and the server's CPU time per message. */
async function measureDelivery(
  { server, held, order }: Side,
  seconds: number,
  perSecond: number | null,
): Promise<Round> {
  const load = { ...order, seconds, perSecond, listeners: held.listeners }
  const deliver = async () => {
    let trades = 0
    const delivery = await held.during(async () => {
      trades = (await runLoad(load)).answered
      return trades
    })
    return { ...delivery, tradesPerSecond: trades / seconds, answered: trades * held.listeners.sockets }
  }
  return await server.measureCpu(deliver())
}
