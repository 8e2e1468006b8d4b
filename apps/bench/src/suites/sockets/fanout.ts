import { once } from 'node:events'
import type { BenchContext, Suite } from '../../bench.ts'
import { unevenMarket } from '../../dataset/market-plan.ts'
import { onScratchMarket } from '../../dataset/on-scratch-market.ts'
import { type HeldSockets, holdSockets } from '../../fanout/hold-sockets.ts'
import type { HolderPlan } from '../../fanout/holder-plan.ts'
import { assertRoomForSockets } from '../../fanout/open-files.ts'
import { recordMessage } from '../../fanout/record-message.ts'
import { interleave } from '../../load/interleave.ts'
import { LoadGenerator } from '../../load/load-generator.ts'
import type { OrderPlan } from '../../load/order-plan.ts'
import { type Measurement, type Round, type Target, toMeasurement } from '../../report/measurement.ts'
import { type ChildServer, startChildServer } from '../../servers/child-server.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'
import { Profiling } from '../../servers/profiling.ts'
import { openRunDatabase } from '../../servers/run-database.ts'
import { SETTLING, settledMemoryKb } from '../../servers/settled-memory.ts'
import { signInPlayers } from '../../servers/sign-in-players.ts'

const BUYERS = 128
const TOKEN = 1
/** Trades per second at the steady rate: 20,000 messages per second with 2,000 sockets. */
const STEADY_PER_SECOND = 10

export const fanout: Suite = {
  name: 'fanout',
  about:
    'messages per second that thousands of sockets or event streams receive for trades, against a bare server that sends the same bytes',
  run: async (context) => {
    const sockets = context.isQuick ? 200 : 2_000
    assertRoomForSockets(sockets)
    const market = { name: 'fanout', plan: unevenMarket({ tokens: 50, players: 500, trades: 500 }), say: context.say }
    return await onScratchMarket(market, async (dataDir) => {
      const measurements: Measurement[] = []
      for (const one of CASES.filter(({ name }) => name.includes(context.only))) {
        measurements.push(...(await measureOn({ context, dataDir, sockets }, one)))
      }
      return measurements
    })
  },
}

interface FanoutCase {
  readonly name: string
  readonly kind: HolderPlan['kind']
  /** Target as a ratio to the bare server's messages per second. */
  readonly target: Target
}

const CASES: readonly FanoutCase[] = [
  { name: '/ws', kind: 'events', target: { min: 0.8 } },
  { name: '/api/events', kind: 'sse', target: { min: 0.8 } },
  { name: 'subscriptions', kind: 'subscriptions', target: { min: 0.4 } },
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
  /** Memory of the server per socket. */
  readonly connectionKb: number
  readonly order: Pick<OrderPlan, 'port' | 'transport' | 'tokenId' | 'cookies'>
}

async function measureOn(run: FanoutRun, { name, kind, target }: FanoutCase): Promise<Measurement[]> {
  const { context } = run
  const profiling = context.isProfiled ? new Profiling() : null
  const load = new LoadGenerator()
  const subject = await openPapermoon(run, kind, profiling)
  const baseline = await openBare(run, kind, subject)
  try {
    context.note(`fanout: kB a connection, ${name}`, Math.round(subject.connectionKb * 10) / 10)
    context.note(`fanout: kB a connection, bare, ${name}`, Math.round(baseline.connectionKb * 10) / 10)
    context.say(
      `  ${name}: ${subject.connectionKb.toFixed(1)} kB a connection, bare ${baseline.connectionKb.toFixed(1)} kB`,
    )
    const compare = async (
      rate: string,
      perSecond: number | null,
      about: { figure: string; target: Target | null },
    ) => {
      const rounds = await interleave(context.rounds, {
        baseline: () => measureDelivery(context, load, baseline, perSecond),
        subject: () => {
          const work = () => measureDelivery(context, load, subject, perSecond)
          return profiling === null ? work() : profiling.during(`${name}, ${rate}`, work)
        },
      })
      const measurement = toMeasurement({ suite: 'fanout', name: `${name}, ${rate}`, ...about, rounds })
      context.say(`  ${measurement.name}: ${measurement.ratio.toFixed(2)}`)
      return measurement
    }
    return [
      await compare(`${STEADY_PER_SECOND} trades/s`, STEADY_PER_SECOND, { figure: 'perSecond', target: null }),
      await compare('highest rate', null, { figure: 'perSecond', target }),
    ]
  } finally {
    await load.close()
    for (const { held, server } of [subject, baseline]) {
      await held.close()
      await server.stop()
    }
    for (const line of profiling?.report() ?? []) context.say(line)
  }
}

async function openPapermoon(run: FanoutRun, kind: HolderPlan['kind'], profiling: Profiling | null): Promise<Side> {
  const server = await startPapermoon(run.dataDir, [...SETTLING, ...(profiling?.start() ?? [])])
  const database = await openRunDatabase(run.dataDir)
  const cookies = await signInPlayers(database.db, BUYERS).finally(() => database.close())
  return await listenTo(run, kind, { server, order: { port: server.port, transport: 'rest', tokenId: TOKEN, cookies } })
}

/** The bare server, sending one of Papermoon's messages. */
async function openBare(run: FanoutRun, kind: HolderPlan['kind'], { order }: Side): Promise<Side> {
  const message = await recordMessage(order, kind)
  const bare = kind === 'sse' ? 'bare-event-source' : 'bare-socket'
  const server = await startChildServer([...SETTLING, `apps/bench/src/servers/${bare}.ts`], {})
  const taken = once(server.child, 'message')
  server.child.send({ message })
  await taken
  return await listenTo(run, kind === 'sse' ? 'sse' : 'events', {
    server,
    order: { ...order, port: server.port, transport: 'bare' },
  })
}

async function listenTo(
  { sockets }: FanoutRun,
  kind: HolderPlan['kind'],
  { server, order }: Pick<Side, 'server' | 'order'>,
): Promise<Side> {
  const beforeKb = await settledMemoryKb(server)
  const held = await holdSockets({ port: server.port, kind, tokenId: TOKEN, sockets })
  const connectionKb = ((await settledMemoryKb(server)) - beforeKb) / sockets
  return { server, held, connectionKb, order }
}

/** Measures what the sockets receive while orders come in, and the server's CPU time per message. */
async function measureDelivery(
  context: BenchContext,
  load: LoadGenerator,
  side: Side,
  perSecond: number | null,
): Promise<Round> {
  const seconds = context.roundSeconds * 2
  const beforeMs = side.server.cpuMs()
  let trades = 0
  const delivery = await side.held.during(async () => {
    const { answered } = await load.run({ ...side.order, seconds, perSecond, listeners: side.held.listeners })
    trades = answered
    return answered
  })
  const cpuUs = ((side.server.cpuMs() - beforeMs) * 1_000) / (trades * side.held.listeners.sockets)
  return { ...delivery, cpuUs, tradesPerSecond: trades / seconds }
}
