import { sql } from 'kysely'
import type { BenchContext, Suite } from '../../bench.ts'
import { unevenMarket } from '../../dataset/market-plan.ts'
import { onScratchMarket } from '../../dataset/on-scratch-market.ts'
import { BASELINE_CONNECTIONS, startBaseline } from '../../engine/start-baseline.ts'
import type { Driver } from '../../engine/start-driver.ts'
import { interleaveAll } from '../../load/interleave.ts'
import { LoadGenerator } from '../../load/load-generator.ts'
import type { OrderPlan, Transport } from '../../load/order-plan.ts'
import { type Measurement, type Round, type Target, toMeasurement } from '../../report/measurement.ts'
import { type BareServer, startBareServer } from '../../servers/bare-server.ts'
import type { ChildServer } from '../../servers/child-server.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'
import { Profiling } from '../../servers/profiling.ts'
import { openRunDatabase, type RunDatabase } from '../../servers/run-database.ts'
import { signInPlayers } from '../../servers/sign-in-players.ts'

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
  readonly bare: BareServer
  readonly procedure: Driver
  readonly database: RunDatabase
  readonly load: LoadGenerator
  readonly cookies: readonly string[]
  readonly profiling: Profiling | null
}

async function measureOn(context: BenchContext, dataDir: string): Promise<Measurement[]> {
  const profiling = context.isProfiled ? new Profiling() : null
  const load = new LoadGenerator()
  const papermoon = await startPapermoon(dataDir, profiling?.start())
  const bare = await startBareServer()
  const database = await openRunDatabase(dataDir)
  const procedure = await startBaseline(context, database.address, SIZE)
  try {
    const cookies = await signInPlayers(database.db, CONNECTIONS)
    return await compareTransports({ context, papermoon, bare, procedure, database, load, cookies, profiling })
  } finally {
    await procedure.stop()
    await database.close()
    await load.close()
    await bare.stop()
    await papermoon.stop()
    for (const line of profiling?.report() ?? []) context.say(line)
  }
}

const SIDES = ['procedure', 'bare', 'rest', 'trpc', 'trpc-socket'] as const
type Side = (typeof SIDES)[number]

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
  await bare.answer({ contentType: 'application/json; charset=utf-8', bodies: [await fetchBuyAnswer(bench)] })
  const sides: Record<Side, () => Promise<Round>> = {
    procedure: () => procedure.drive({ tokens: 1, players: SIZE.players, inFlight: BASELINE_CONNECTIONS, seconds }),
    bare: () => buyAt(bench, 'bare', seconds),
    rest: () => buyAt(bench, 'rest', seconds),
    trpc: () => buyAt(bench, 'trpc', seconds),
    'trpc-socket': () => buyAt(bench, 'trpc-socket', seconds),
  }
  const cases = CASES.filter(({ name }) => name.includes(context.only))
  const asked = SIDES.filter((side) => cases.some(({ subject, baseline }) => side === subject || side === baseline))
  const rounds = await interleaveAll(
    context.rounds,
    Object.fromEntries(asked.map((side) => [side, sides[side]])) as typeof sides,
  )
  return cases.map(({ name, subject, baseline, target }) =>
    toMeasurement({
      suite: 'transports',
      name,
      figure: 'perSecond',
      target,
      rounds: rounds.map((round) => ({ subject: round[subject], baseline: round[baseline] })),
    }),
  )
}

/** The REST answer to a buy, which the empty route returns as well. */
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

/** Measures a round of buys: latency, CPU time per buy of server and database, and buys per transaction. */
async function buyAt(bench: TransportBench, transport: Transport, seconds: number): Promise<Round> {
  const { papermoon, bare, database, load, cookies, profiling } = bench
  const server = transport === 'bare' ? bare : papermoon
  const plan: OrderPlan = {
    port: server.port,
    transport,
    tokenId: HOT_TOKEN,
    cookies,
    seconds,
    perSecond: null,
    listeners: null,
  }
  const before = { trade: await lastTrade(database), serverMs: server.cpuMs(), databaseMs: database.cpuMs() }
  const work = () => load.run(plan)
  const result = await (profiling === null ? work() : profiling.during(transport, work))
  const each = 1_000 / result.answered
  return {
    ...result,
    cpuUs: (server.cpuMs() - before.serverMs) * each,
    databaseCpuUs: (database.cpuMs() - before.databaseMs) * each,
    ordersABatch: transport === 'bare' ? 0 : await ordersABatch(database, before.trade),
  }
}

async function lastTrade({ db }: RunDatabase): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0)::int as id from trades`.execute(db)
  return rows[0]?.id ?? 0
}

/** Counts trades after a given one, and the transactions that wrote them. */
async function ordersABatch({ db }: RunDatabase, after: number): Promise<number> {
  const { rows } = await sql<{ orders: number }>`
    select count(*)::float8 / greatest(1, count(distinct xmin::text)) as orders from trades where id > ${after}`.execute(
    db,
  )
  return rows[0]?.orders ?? 0
}
