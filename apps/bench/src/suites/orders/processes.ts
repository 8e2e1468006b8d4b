import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { BenchContext, Suite } from '../../bench.ts'
import { busiestToken, unevenMarket } from '../../dataset/market-plan.ts'
import { onScratchMarket } from '../../dataset/on-scratch-market.ts'
import { anonymousGet } from '../../load/anonymous-get.ts'
import { interleave } from '../../load/interleave.ts'
import { LoadGenerator } from '../../load/load-generator.ts'
import { type Measurement, type Round, toMeasurement } from '../../report/measurement.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'
import { openRunDatabase } from '../../servers/run-database.ts'
import { signInPlayers } from '../../servers/sign-in-players.ts'

const PROCESSES = 3
const BUYERS = 128
const READERS = 32
/** Warm-up between the first buy and the measurement. */
const RISE_MS = 300
const NOT_SLOWER = { max: 1 }

export const processes: Suite = {
  name: 'processes',
  about: `latency of reads while ${BUYERS} connections buy one token, on a server of ${PROCESSES} processes, against one process`,
  // With two cores, more processes only share them.
  isReady: () => availableParallelism() > 2,
  run: async (context) => {
    const size = context.isQuick
      ? { tokens: 200, players: 200, trades: 5_000 }
      : { tokens: 1_000, players: 1_000, trades: 50_000 }
    const plan = unevenMarket(size)
    const reads = listReads(busiestToken(plan)).filter(({ name }) => name.includes(context.only))
    return await onScratchMarket({ name: 'processes', plan, say: context.say }, async (dataDir) => {
      const [reading, buying] = [new LoadGenerator(), new LoadGenerator()]
      const bench = { context, dataDir, tokenId: busiestToken(plan), reads, reading, buying }
      try {
        return await compare(bench)
      } finally {
        await reading.close()
        await buying.close()
      }
    })
  },
}

interface ProcessesBench {
  readonly context: BenchContext
  readonly dataDir: string
  /** The token that is bought and read. */
  readonly tokenId: number
  readonly reads: readonly Read[]
  readonly reading: LoadGenerator
  readonly buying: LoadGenerator
}

interface Read {
  readonly name: string
  readonly path: string
}

/** Figures by read. */
type Rounds = Readonly<Record<string, Round>>

function listReads(tokenId: number): Read[] {
  return [
    { name: 'tokens, newest 24', path: '/api/tokens?limit=24' },
    { name: 'token', path: `/api/tokens/${tokenId}` },
    { name: 'chart 24H', path: `/api/charts/${tokenId}?timeframe=24H` },
  ]
}

async function compare(bench: ProcessesBench): Promise<Measurement[]> {
  const rounds = await interleave<Rounds>(bench.context.rounds, {
    baseline: () => measureOn(bench, 1),
    subject: () => measureOn(bench, PROCESSES),
  })
  return bench.reads.flatMap(({ name }) => {
    const ofRead = rounds.map(({ subject, baseline }) => ({
      subject: subject[name] ?? {},
      baseline: baseline[name] ?? {},
    }))
    const toFigure = (figure: string, target: typeof NOT_SLOWER | null) =>
      toMeasurement({ suite: 'processes', name: `${name}: ${figure}`, figure, target, rounds: ofRead })
    return [toFigure('p50Ms', NOT_SLOWER), toFigure('p99Ms', null), toFigure('perSecond', null)]
  })
}

/** Each read beside a storm, on a server of so many processes that is started for it. */
async function measureOn(bench: ProcessesBench, count: number): Promise<Rounds> {
  const server = await startPapermoon(bench.dataDir, [], { PROCESSES: String(count) })
  try {
    const database = await openRunDatabase(bench.dataDir)
    const cookies = await signInPlayers(database.db, BUYERS).finally(() => database.close())
    const rounds: Record<string, Round> = {}
    for (const { name, path } of bench.reads) {
      rounds[name] = await readInStorm(bench, { port: server.port, cookies, path })
    }
    return rounds
  } finally {
    await server.stop()
  }
}

/** Latencies of the reads, and the buys beside them a second. */
async function readInStorm(
  { context, tokenId, reading, buying }: ProcessesBench,
  { port, cookies, path }: { readonly port: number; readonly cookies: readonly string[]; readonly path: string },
): Promise<Round> {
  const seconds = context.roundSeconds + (2 * RISE_MS) / 1_000
  const orders = { port, transport: 'rest', tokenId, cookies, seconds, perSecond: null, listeners: null } as const
  const requests = [anonymousGet(port, path)]
  const plan = { port, requests, first: 0, connections: READERS, seconds: context.roundSeconds }
  const [{ p50Ms, p99Ms }, { perSecond }] = await Promise.all([
    delay(RISE_MS).then(() => reading.run(plan)),
    buying.run(orders),
  ])
  return { p50Ms, p99Ms, perSecond }
}
