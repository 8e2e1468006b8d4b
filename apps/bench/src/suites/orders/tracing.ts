import { once } from 'node:events'
import { createServer } from 'node:http'
import type { BenchContext, Suite } from '../../bench.ts'
import { unevenMarket } from '../../dataset/market-plan.ts'
import { onScratchMarket } from '../../dataset/on-scratch-market.ts'
import { interleave } from '../../load/interleave.ts'
import { LoadGenerator } from '../../load/load-generator.ts'
import type { Transport } from '../../load/order-plan.ts'
import { type Measurement, type Round, type Target, toMeasurement } from '../../report/measurement.ts'
import type { ChildServer } from '../../servers/child-server.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'
import { openRunDatabase } from '../../servers/run-database.ts'
import { signInPlayers } from '../../servers/sign-in-players.ts'

const PLAYERS = 128
const HOT_TOKEN = 1
/** Tracing costs at most 3 %. */
const NEARLY_AS_MANY = { min: 0.97 }
const CASES: readonly { readonly name: string; readonly transport: Transport }[] = [
  { name: 'REST', transport: 'rest' },
  { name: 'tRPC, WebSocket', transport: 'trpc-socket' },
]

export const tracing: Suite = {
  name: 'tracing',
  about: `buys of one token over ${PLAYERS} connections with traces sent to a collector, against without`,
  run: async (context) => {
    const size = context.isQuick ? { tokens: 100, players: 1_000 } : { tokens: 1_000, players: 10_000 }
    const plan = unevenMarket({ ...size, trades: size.tokens })
    const toMarket = (name: string) => ({ name: `tracing-${name}`, plan, say: context.say })
    return await onScratchMarket(toMarket('without'), (without) =>
      onScratchMarket(toMarket('with'), (traced) => measureOn(context, { without, traced })),
    )
  },
}

interface TracingSide {
  readonly server: ChildServer
  readonly cookies: readonly string[]
}

async function measureOn(
  context: BenchContext,
  { without, traced }: { readonly without: string; readonly traced: string },
): Promise<Measurement[]> {
  const collector = await startCollector()
  const load = new LoadGenerator()
  const sides: TracingSide[] = []
  try {
    const plain = await openSide(without, {})
    sides.push(plain)
    const sampled = await openSide(traced, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address })
    sides.push(sampled)
    const measurements: Measurement[] = []
    for (const { name, transport } of CASES.filter((one) => one.name.includes(context.only))) {
      const buy = (side: TracingSide) => () => buyOn(context, { load, side, transport })
      const rounds = await interleave(context.rounds, { baseline: buy(plain), subject: buy(sampled) })
      const about = (figure: string, target: Target | null) => ({
        suite: 'tracing',
        name: `${name}, ${figure}`,
        target,
        rounds,
      })
      measurements.push(
        toMeasurement({ ...about('orders', NEARLY_AS_MANY), figure: 'perSecond' }),
        toMeasurement({ ...about('CPU', null), figure: 'cpuMs' }),
      )
      context.say(`  ${name}: ${measurements.at(-2)?.ratio.toFixed(3)}, CPU ${measurements.at(-1)?.ratio.toFixed(3)}`)
    }
    context.note('tracing: bytes that the collector got', collector.received())
    if (collector.received() === 0) throw new Error('the collector got no traces')
    return measurements
  } finally {
    await load.close()
    for (const { server } of sides) await server.stop()
    await collector.stop()
  }
}

async function openSide(dataDir: string, settings: Readonly<Record<string, string>>): Promise<TracingSide> {
  const server = await startPapermoon(dataDir, [], settings)
  const database = await openRunDatabase(dataDir)
  const cookies = await signInPlayers(database.db, PLAYERS).finally(() => database.close())
  return { server, cookies }
}

/** Includes the CPU time of the server's process for each order, in ms. */
async function buyOn(
  context: BenchContext,
  {
    load,
    side,
    transport,
  }: { readonly load: LoadGenerator; readonly side: TracingSide; readonly transport: Transport },
): Promise<Round> {
  const { server, cookies } = side
  const beforeMs = server.cpuMs()
  const seconds = context.roundSeconds * 2
  const plan = { port: server.port, transport, tokenId: HOT_TOKEN, cookies, seconds, perSecond: null, listeners: null }
  const result = await load.run(plan)
  const cpuMs = (server.cpuMs() - beforeMs) / result.answered
  return { ...result, cpuMs, cpuUs: cpuMs * 1_000 }
}

interface Collector {
  readonly address: string
  /** Bytes of spans so far. */
  received(): number
  stop(): Promise<void>
}

/** Takes spans by OTLP over HTTP and drops them. */
async function startCollector(): Promise<Collector> {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on('data', (data: Buffer) => {
      bytes += data.length
    })
    request.once('end', () => response.setHeader('content-type', 'application/json').end('{}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    address: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    received: () => bytes,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
