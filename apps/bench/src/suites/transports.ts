import type { BenchContext, Suite } from '../bench.ts'
import { onScratchMarket } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { BASELINE_CONNECTIONS, startBaseline } from '../engine/start-baseline.ts'
import type { Driver } from '../engine/start-driver.ts'
import { interleave } from '../load/interleave.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import type { Transport } from '../load/plans.ts'
import { type Measurement, type Round, type Target, toMeasurement } from '../report/measurement.ts'
import { type ChildServer, startBareRoute } from '../servers/child-server.ts'
import { openRunDatabase, profilingFlags, type RunDatabase, startPapermoon } from '../servers/papermoon-server.ts'
import { signInPlayers } from '../servers/sign-in-players.ts'

const SIZE = { tokens: 1_000, players: 10_000 }
const CONNECTIONS = 128
const HOT_TOKEN = 1

export const transports: Suite = {
  name: 'transports',
  about: `buys of one token through REST and tRPC over ${CONNECTIONS} connections, against the stored procedure without HTTP and an empty route`,
  run: async (context) => {
    const market = { name: 'transports', plan: unevenMarket({ ...SIZE, trades: SIZE.tokens }), say: context.say }
    return await onScratchMarket(market, (dataDir) => measureOn(context, dataDir))
  },
}

/** Everything that runs while the transports are measured. */
interface TransportBench {
  readonly context: BenchContext
  readonly papermoon: ChildServer
  readonly bare: ChildServer
  readonly procedure: Driver
  readonly database: RunDatabase
  readonly load: LoadGenerator
  readonly cookies: readonly string[]
}

async function measureOn(context: BenchContext, dataDir: string): Promise<Measurement[]> {
  const load = new LoadGenerator()
  const papermoon = await startPapermoon(dataDir, profilingFlags(context))
  const bare = await startBareRoute()
  const database = await openRunDatabase(dataDir)
  const procedure = await startBaseline(context, database.address, SIZE)
  try {
    const cookies = await signInPlayers(database.db, CONNECTIONS)
    return await compareTransports({ context, papermoon, bare, procedure, database, load, cookies })
  } finally {
    await procedure.stop()
    await database.close()
    await load.close()
    await bare.stop()
    await papermoon.stop()
  }
}

type Side = 'procedure' | Transport

interface TransportCase {
  readonly name: string
  readonly subject: Side
  readonly baseline: Side
  readonly target: Target | null
}

const CASES: readonly TransportCase[] = [
  { name: 'REST : procedure', subject: 'rest', baseline: 'procedure', target: { min: 1.5 } },
  { name: 'REST : empty route', subject: 'rest', baseline: 'bare', target: null },
  { name: 'tRPC, HTTP : REST', subject: 'trpc', baseline: 'rest', target: null },
  { name: 'tRPC, HTTP : empty route', subject: 'trpc', baseline: 'bare', target: null },
  { name: 'tRPC, WebSocket : REST', subject: 'trpc-socket', baseline: 'rest', target: { min: 0.8 } },
  { name: 'tRPC, WebSocket : empty route', subject: 'trpc-socket', baseline: 'bare', target: null },
]

async function compareTransports(bench: TransportBench): Promise<Measurement[]> {
  const { context, bare, procedure } = bench
  const seconds = Math.ceil(context.roundSeconds * 2)
  await bare.tell({ contentType: 'application/json; charset=utf-8', bodies: [await fetchBuyAnswer(bench)] })
  const rounds = await interleave<Side>(context.rounds, {
    procedure: () => procedure.drive({ tokens: 1, players: SIZE.players, inFlight: BASELINE_CONNECTIONS, seconds }),
    bare: () => buyAt(bench, 'bare', seconds),
    rest: () => buyAt(bench, 'rest', seconds),
    trpc: () => buyAt(bench, 'trpc', seconds),
    'trpc-socket': () => buyAt(bench, 'trpc-socket', seconds),
  })
  return CASES.filter(({ name }) => name.includes(context.only)).map(({ name, subject, baseline, target }) =>
    toMeasurement({
      suite: 'transports',
      name,
      figure: 'perSecond',
      target,
      rounds: rounds.map((round) => ({ subject: round[subject], baseline: round[baseline] })),
    }),
  )
}

/** Fetches the REST response to a buy, which the empty route returns as well. */
async function fetchBuyAnswer({ papermoon, cookies: [cookie = ''] }: TransportBench): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${papermoon.port}/api/tokens/buy`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ tokenId: HOT_TOKEN, solAmount: '0.001' }),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} for a buy: ${text}`)
  return text
}

/** Measures a round of buys: rate, latency, and the server's and the database's CPU time per buy. */
async function buyAt(bench: TransportBench, transport: Transport, seconds: number): Promise<Round> {
  const { papermoon, bare, database, load, cookies } = bench
  const server = transport === 'bare' ? bare : papermoon
  const before = { serverMs: server.cpuMs(), databaseMs: database.cpuMs() }
  const result = await load.run({ port: server.port, transport, tokenId: HOT_TOKEN, cookies, seconds })
  const each = 1_000 / result.answered
  return {
    ...result,
    cpuUs: (server.cpuMs() - before.serverMs) * each,
    databaseCpuUs: (database.cpuMs() - before.databaseMs) * each,
  }
}
