import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { BenchContext, Suite } from '../bench.ts'
import { onScratchMarket } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { assertRoomForSockets, type HeldSockets, holdSockets } from '../fanout/hold-sockets.ts'
import type { Kind } from '../fanout/listen.ts'
import { recordMessage } from '../fanout/record-message.ts'
import { compare, measureEach } from '../load/interleave.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import type { OrderPlan } from '../load/plans.ts'
import type { Measurement, Round, Target } from '../report/measurement.ts'
import { type ChildServer, startChildServer } from '../servers/child-server.ts'
import { openRunDatabase, profilingFlags, startPapermoon } from '../servers/papermoon-server.ts'
import { signInPlayers } from '../servers/sign-in-players.ts'

/** Node options for a server whose memory is measured. */
const SETTLING = ['--expose-gc', '--import', './apps/bench/src/servers/settle-memory.ts']

const COLLECTIONS = 3
const BETWEEN_MS = 200

const BUYERS = 128
const TOKEN = 1
/** Trades per second at the steady rate. With 2,000 sockets, this gives 20,000 messages per second. */
const STEADY_PER_SECOND = 10

export const fanout: Suite = {
  name: 'fanout',
  about:
    'messages per second that thousands of sockets or event streams receive for trades, against a bare server that sends the same bytes',
  run: async (context) => {
    const sockets = context.isQuick ? 200 : 2_000
    assertRoomForSockets(sockets)
    const market = { name: 'fanout', plan: unevenMarket({ tokens: 50, players: 500, trades: 500 }), say: context.say }
    return await onScratchMarket(market, (dataDir) =>
      measureEach(context, CASES, (one) => measureOn({ context, dataDir, sockets }, one)),
    )
  },
}

interface FanoutCase {
  readonly name: string
  readonly kind: Kind
  /** Target ratio to the bare server's messages per second. */
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

/** A server and its listening sockets. */
interface Side {
  readonly server: ChildServer
  readonly held: HeldSockets
  /** The server's memory per socket in kB. */
  readonly connectionKb: number
  readonly order: Pick<OrderPlan, 'port' | 'transport' | 'tokenId' | 'cookies'>
}

async function measureOn(run: FanoutRun, { name, kind, target }: FanoutCase): Promise<Measurement[]> {
  const { context } = run
  const load = new LoadGenerator()
  const subject = await openPapermoon(run, kind)
  const baseline = await openBare(run, kind, subject)
  try {
    context.note(`fanout: kB a connection, ${name}`, Math.round(subject.connectionKb * 10) / 10)
    context.note(`fanout: kB a connection, bare, ${name}`, Math.round(baseline.connectionKb * 10) / 10)
    const kilobytes = `${subject.connectionKb.toFixed(1)} kB a connection, bare ${baseline.connectionKb.toFixed(1)} kB`
    context.say(`  ${name}: ${kilobytes}`)
    const measure = (rate: string, perSecond: number | null, most: Target | null) => {
      const about = { suite: 'fanout', name: `${name}, ${rate}`, figure: 'perSecond', target: most }
      const side = (of: Side) => () => measureDelivery(context, load, of, perSecond)
      return compare(context, about, { baseline: side(baseline), subject: side(subject) })
    }
    return [
      await measure(`${STEADY_PER_SECOND} trades/s`, STEADY_PER_SECOND, null),
      await measure('highest rate', null, target),
    ]
  } finally {
    await load.close()
    for (const { held, server } of [subject, baseline]) {
      await held.close()
      await server.stop()
    }
  }
}

async function openPapermoon(run: FanoutRun, kind: Kind): Promise<Side> {
  const server = await startPapermoon(run.dataDir, [...SETTLING, ...profilingFlags(run.context)])
  const database = await openRunDatabase(run.dataDir)
  const cookies = await signInPlayers(database.db, BUYERS).finally(() => database.close())
  return await listenTo(run, kind, { server, order: { port: server.port, transport: 'rest', tokenId: TOKEN, cookies } })
}

/** Opens the bare server, which sends one of Papermoon's messages. */
async function openBare(run: FanoutRun, kind: Kind, { order }: Side): Promise<Side> {
  const message = await recordMessage(order, kind)
  const server = await startChildServer([...SETTLING, 'apps/bench/src/servers/bare-events.ts'])
  // An event stream's blocks end with an empty line, which a listener removes.
  await server.tell({ message: kind === 'sse' ? `${message}\n\n` : message })
  const bare = { server, order: { ...order, port: server.port, transport: 'bare' as const } }
  return await listenTo(run, kind === 'sse' ? 'sse' : 'events', bare)
}

async function listenTo(
  { sockets }: FanoutRun,
  kind: Kind,
  { server, order }: Pick<Side, 'server' | 'order'>,
): Promise<Side> {
  const beforeKb = await settledMemoryKb(server)
  const held = await holdSockets({ port: server.port, kind, tokenId: TOKEN, sockets })
  const connectionKb = ((await settledMemoryKb(server)) - beforeKb) / sockets
  return { server, held, connectionKb, order }
}

/** Measures what the sockets receive while orders arrive, and the server's CPU time per message. */
async function measureDelivery(
  context: BenchContext,
  load: LoadGenerator,
  { server, held, order }: Side,
  perSecond: number | null,
): Promise<Round> {
  const seconds = context.roundSeconds * 2
  const beforeMs = server.cpuMs()
  let trades = 0
  const delivery = await held.during(async () => {
    const { answered } = await load.run({ ...order, seconds, perSecond, listeners: held.listeners })
    trades = answered
    return answered
  })
  const cpuUs = ((server.cpuMs() - beforeMs) * 1_000) / (trades * held.listeners.sockets)
  return { ...delivery, cpuUs, tradesPerSecond: trades / seconds }
}

/** Returns a server's resident memory after garbage collection, in kB; NaN if unknown. */
async function settledMemoryKb(server: ChildServer): Promise<number> {
  for (let i = 0; i < COLLECTIONS; i++) {
    await server.tell('gc')
    await delay(BETWEEN_MS)
  }
  const status = process.platform === 'linux' ? readFileSync(`/proc/${server.child.pid}/status`, 'utf8') : ''
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN)
}
