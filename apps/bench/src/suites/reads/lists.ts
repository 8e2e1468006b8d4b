import { performance } from 'node:perf_hooks'
import type { BenchContext, Suite } from '../../bench.ts'
import { copiedMarket, type MarketPlan, unevenMarket } from '../../dataset/market-plan.ts'
import { provideDataset } from '../../dataset/provide-dataset.ts'
import { anonymousGet } from '../../load/anonymous-get.ts'
import { HttpConnection } from '../../load/http-connection.ts'
import { interleave } from '../../load/interleave.ts'
import { type Measurement, type Round, toMeasurement } from '../../report/measurement.ts'
import { quantile } from '../../report/median.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'
import { openRunDatabase } from '../../servers/run-database.ts'
import { signInPlayers } from '../../servers/sign-in-players.ts'

const SORTS = ['newest', 'oldest', 'mcap-high', 'mcap-low', 'last-trade'] as const
/** Reads a round, one after another. */
const READS = 100
const MS_MAX = 50
const KEPT_MS = 24 * 3_600_000
const COPIES = 10
/** Parts of every token's name, one for each round. */
const FREQUENT = ['moon', 'paper', 'oon', 'ape', 'oo', 'er', 'pap', 'per', 'mo', 'ap']

export const lists: Suite = {
  name: 'lists',
  about:
    'pages of lists, searches and players among 100,000 tokens and 100,000 players, none read before, against 1,000 of both',
  run: async (context) => {
    const { small, large } = chooseMarkets(context.isQuick)
    const sides: ListSide[] = []
    try {
      // All made before any server runs.
      const made = [await provideDataset(small, context.say), await provideDataset(large, context.say)]
      for (const { plan, dataDir } of made) sides.push(await openSide(plan, dataDir))
      const measurements: Measurement[] = []
      for (const read of CASES.filter(({ name }) => name.includes(context.only))) {
        measurements.push(await compare(context, sides, read))
      }
      return measurements
    } finally {
      for (const side of sides) await side.stop()
    }
  },
}

function chooseMarkets(isQuick: boolean): { readonly small: MarketPlan; readonly large: MarketPlan } {
  const players = isQuick ? 1_000 : 100_000
  const original = unevenMarket({ tokens: players / COPIES, players, trades: players })
  return {
    small: unevenMarket({ tokens: 1_000, players: 1_000, trades: 10_000 }, KEPT_MS),
    large: copiedMarket(original, COPIES, KEPT_MS),
  }
}

interface ListSide {
  readonly plan: MarketPlan
  readonly port: number
  readonly connection: HttpConnection
  readonly cookies: readonly string[]
  /** Cursors all over the list, by its order. */
  readonly cursors: ReadonlyMap<string, readonly string[]>
  stop(): Promise<void>
}

interface ListCase {
  readonly name: string
  /** The `n`th address, never the same. */
  path(side: ListSide, n: number): string
  readonly isSignedIn?: true
}

const CASES: readonly ListCase[] = [
  ...SORTS.map(
    (sort): ListCase => ({
      name: `tokens, ${sort}`,
      path: ({ cursors }, n) => {
        const known = cursors.get(sort) ?? []
        return `/api/tokens?sort=${sort}&limit=${24 + Math.floor(n / known.length)}&cursor=${known[n % known.length]}`
      },
    }),
  ),
  {
    name: 'tokens, search, frequent',
    path: (_, n) => `/api/tokens?search=${FREQUENT[Math.floor(n / READS) % FREQUENT.length]}&limit=${20 + (n % READS)}`,
  },
  {
    name: 'tokens, search, rare',
    path: (side, n) => `/api/tokens?search=${pick(side.plan.tokens.length, n)}&limit=24`,
  },
  { name: 'tokens, search, absent', path: (_, n) => `/api/tokens?search=zq${n}&limit=24` },
  { name: 'search, symbol', path: (side, n) => `/api/search?query=PM${pick(side.plan.tokens.length, n)}` },
  { name: 'search, begin of a player', path: ({ plan }, n) => `/api/search?query=player%20${pick(plan.players, n)}` },
  { name: 'search, inside of a player', path: ({ plan }, n) => `/api/search?query=er%20${pick(plan.players, n)}` },
  { name: 'search, absent', path: (_, n) => `/api/search?query=zq${n}` },
  { name: 'player, profile', path: ({ plan }, n) => `/api/users/${pick(plan.players, n)}/profile` },
  { name: 'player, results', path: ({ plan }, n) => `/api/users/${pick(plan.players, n)}/results` },
  { name: 'player, trades', path: ({ plan }, n) => `/api/users/${pick(plan.players, n)}/trades` },
  { name: 'player, rank', path: ({ plan }, n) => `/api/leaderboard/rank/${pick(plan.players, n)}` },
  { name: 'own orders', path: () => '/api/orders', isSignedIn: true },
  { name: 'market trades, any page', path: (_, n) => `/api/trades?limit=50&cursor=${1_000 + 13 * n}` },
]

/** Numbers up to `count`, scattered, none of them twice among the first `count`. */
function pick(count: number, n: number): number {
  return 1 + ((n * 7_919) % count)
}

async function openSide(plan: MarketPlan, dataDir: string): Promise<ListSide> {
  const { port, stop } = await startPapermoon(dataDir)
  const database = await openRunDatabase(dataDir)
  const cookies = await signInPlayers(database.db, READS).finally(() => database.close())
  const cursors = new Map<string, readonly string[]>()
  for (const sort of SORTS) cursors.set(sort, await findCursors(port, sort, plan.tokens.length / READS))
  const connection = await HttpConnection.open(port)
  return {
    plan,
    port,
    connection,
    cookies,
    cursors,
    stop: async () => {
      connection.close()
      await stop()
    },
  }
}

/** The cursors between the pages of a whole list, a hundredth of it each. */
async function findCursors(port: number, sort: string, limit: number): Promise<string[]> {
  const cursors: string[] = []
  const list = `http://127.0.0.1:${port}/api/tokens?sort=${sort}&limit=${limit}`
  for (let address: string | null = list; address !== null; ) {
    const answer: Response = await fetch(address)
    await answer.arrayBuffer()
    const cursor = /[?&]cursor=([\w-]+)/.exec(answer.headers.get('link') ?? '')?.[1]
    if (cursor !== undefined) cursors.push(cursor)
    address = cursor === undefined ? null : `${list}&cursor=${cursor}`
  }
  return cursors
}

async function compare(
  context: BenchContext,
  [small, large]: readonly ListSide[],
  read: ListCase,
): Promise<Measurement> {
  if (small === undefined || large === undefined) throw new Error('a side is missing')
  const rounds = await interleave(context.rounds, {
    baseline: (round) => readRound(small, read, round),
    subject: (round) => readRound(large, read, round),
  })
  const about = { suite: 'lists', name: read.name, figure: 'p99Ms', target: { figureMax: MS_MAX } }
  const measurement = toMeasurement({ ...about, rounds })
  const { p50Ms = Number.NaN, p99Ms = Number.NaN } = measurement.subject
  context.say(`  ${read.name}: p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)} ms`)
  return measurement
}

/** Latencies of reads one after another. Throws unless all succeed. */
async function readRound(side: ListSide, { path, isSignedIn }: ListCase, round: number): Promise<Round> {
  const waitsMs: number[] = []
  for (let i = 0; i < READS; i++) {
    const asked = path(side, round * READS + i)
    const request = anonymousGet(side.port, asked)
    const cookie = isSignedIn ? `\r\nCookie: ${side.cookies[i]}` : ''
    const startedMs = performance.now()
    const { status } = await side.connection.send(Buffer.from(request.replace('\r\n\r\n', `${cookie}\r\n\r\n`)))
    if (status !== 200) throw new Error(`${status} for ${asked}`)
    waitsMs.push(performance.now() - startedMs)
  }
  return { p50Ms: quantile(waitsMs, 0.5), p99Ms: quantile(waitsMs, 0.99) }
}
