import type { BenchContext } from '../bench.ts'
import { busiestToken } from '../dataset/market-plan.ts'
import { anonymousGet } from '../load/anonymous-get.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { interleave } from '../load/interleave.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import { timeReads } from '../load/time-reads.ts'
import { createRandom, shuffled } from '../random.ts'
import { type Measurement, type Round, toMeasurement } from '../report/measurement.ts'
import { startPapermoon } from '../servers/papermoon-server.ts'
import { tokenReads } from '../suites/reads/token-reads.ts'
import type { MadeMarket } from './compare-engines.ts'

const CONNECTIONS = 8
const NO_DEARER = { max: 1.3 }
/** First reads per round, each of something not read before. */
const FIRST_READS = 40

/** A list request that differs for each number, so that its answer is not cached. */
const LIST_READS: readonly { readonly name: string; path(n: number, tokens: number): string }[] = [
  { name: 'tokens, newest', path: (n) => `/api/tokens?limit=${20 + n}` },
  { name: 'tokens, highest market cap', path: (n) => `/api/tokens?sort=mcap-high&limit=${20 + n}` },
  // Matches few names: on both sides it has as many digits as the newest tokens' numbers.
  { name: 'tokens, search', path: (n, tokens) => `/api/tokens?limit=24&search=${tokens / 10 + n}` },
]

interface ReadSide {
  readonly market: MadeMarket
  readonly port: number
  readonly connection: HttpConnection
  /** All tokens in pseudo-random order. */
  readonly tokens: readonly number[]
  stop(): Promise<void>
}

interface ReadBench {
  readonly context: BenchContext
  readonly small: ReadSide
  readonly large: ReadSide
}

/** Compares the latency of reads on both markets: first reads, which PostgreSQL answers, and repeated ones. */
export async function compareReads(
  context: BenchContext,
  small: MadeMarket,
  large: MadeMarket,
): Promise<Measurement[]> {
  const bench = { context, small: await openSide(small), large: await openSide(large) }
  try {
    return [...(await compareFirst(bench)), ...(await compareRepeated(bench))]
  } finally {
    await bench.small.stop()
    await bench.large.stop()
  }
}

async function openSide(market: MadeMarket): Promise<ReadSide> {
  const { port, stop } = await startPapermoon(market.dataDir)
  const connection = await HttpConnection.open(port)
  const ids = market.plan.tokens.map((_, i) => i + 1)
  const tokens = shuffled(ids, createRandom(0x600d))
  return {
    market,
    port,
    connection,
    tokens,
    stop: async () => {
      connection.close()
      await stop()
    },
  }
}

async function compareFirst({ context, small, large }: ReadBench): Promise<Measurement[]> {
  const ofToken = (path: (id: number) => string) => (side: ReadSide, n: number) =>
    path(side.tokens[n % side.tokens.length] ?? 1)
  const cases = [
    ...LIST_READS.map(({ name, path }) => ({ name, path: (side: ReadSide, n: number) => path(n, side.tokens.length) })),
    ...tokenReads.map(({ name, path }) => ({ name, path: ofToken(path) })),
  ].filter(({ name }) => `${name}, first`.includes(context.only))
  const measurements: Measurement[] = []
  for (const { name, path } of cases) {
    const readFirst = (side: ReadSide) => (round: number) =>
      timeReads(
        side,
        Array.from({ length: FIRST_READS }, (_, i) => path(side, round * FIRST_READS + i)),
      )
    const rounds = await interleave(context.rounds, { baseline: readFirst(small), subject: readFirst(large) })
    measurements.push(reportCase(context, `${name}, first`, rounds))
  }
  return measurements
}

async function compareRepeated({ context, small, large }: ReadBench): Promise<Measurement[]> {
  const load = new LoadGenerator()
  const cases = [
    { name: 'tokens, newest 1,000', path: () => '/api/tokens' },
    { name: 'tokens, highest market cap 24', path: () => '/api/tokens?sort=mcap-high&limit=24' },
    ...tokenReads.map(({ name, path }) => ({
      name,
      path: ({ market }: ReadSide) => path(busiestToken(market.plan)),
    })),
  ].filter(({ name }) => `${name}, again`.includes(context.only))
  try {
    const measurements: Measurement[] = []
    for (const { name, path } of cases) {
      const read = (side: ReadSide) => async () => {
        const requests = [anonymousGet(side.port, path(side))]
        const plan = { port: side.port, requests, first: 0, connections: CONNECTIONS, seconds: context.roundSeconds }
        return { ...(await load.run(plan)) }
      }
      const rounds = await interleave(context.rounds, { baseline: read(small), subject: read(large) })
      measurements.push(reportCase(context, `${name}, again`, rounds))
    }
    return measurements
  } finally {
    await load.close()
  }
}

function reportCase(context: BenchContext, name: string, rounds: { subject: Round; baseline: Round }[]): Measurement {
  const measurement = toMeasurement({ suite: 'growth', name, figure: 'p50Ms', target: NO_DEARER, rounds })
  context.say(`  ${name}: ${measurement.ratio.toFixed(2)}`)
  return measurement
}
