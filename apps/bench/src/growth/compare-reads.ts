import type { BenchContext } from '../bench.ts'
import { busiestToken, countTokens, type MarketPlan } from '../dataset/market-plan.ts'
import type { Dataset } from '../dataset/provide-dataset.ts'
import { timeRead } from '../load/call.ts'
import { compare, measureEach } from '../load/interleave.ts'
import { runLoad } from '../load/run-load.ts'
import { createRandom, shuffled } from '../random.ts'
import type { Measurement } from '../report/measurement.ts'
import { quantile } from '../report/median.ts'
import { startPapermoon } from '../servers/papermoon-server.ts'
import { tokenReads } from '../suites/token-reads.ts'

const CONNECTIONS = 8
const ABOUT = { suite: 'growth', figure: 'p50Ms', target: { max: 1.3 } }
/** Number of first reads per round. Each of these reads is for data that nobody has read before. */
const FIRST_READS = 40

/** Requests for a list of tokens. Each number results in another request, so that no response comes from the cache. */
const LIST_READS: readonly { readonly name: string; path(n: number, tokens: number): string }[] = [
  { name: 'tokens, newest', path: (n) => `/api/tokens?limit=${20 + n}` },
  { name: 'tokens, highest market cap', path: (n) => `/api/tokens?sort=mcap-high&limit=${20 + n}` },
  // The search matches few names, because on both sides it has as many digits as the newest tokens' numbers.
  { name: 'tokens, search', path: (n, tokens) => `/api/tokens?limit=24&search=${tokens / 10 + n}` },
]

interface ReadSide {
  readonly plan: MarketPlan
  readonly port: number
  /** The ids of all tokens, in pseudo-random order. */
  readonly tokens: readonly number[]
}

type Sides = Readonly<Record<'small' | 'large', ReadSide>>

/** Compares the latency of reads on both markets. First reads need PostgreSQL, and repeated reads do not. */
export async function compareReads(
  context: BenchContext,
  datasets: Readonly<Record<'small' | 'large', Dataset>>,
): Promise<Measurement[]> {
  const sides = { small: await openSide(context, datasets.small), large: await openSide(context, datasets.large) }
  return [...(await compareFirst(context, sides)), ...(await compareRepeated(context, sides))]
}

async function openSide(context: BenchContext, { plan, dataDir }: Dataset): Promise<ReadSide> {
  const { port } = await startPapermoon(context, dataDir)
  const ids = Array.from({ length: countTokens(plan) }, (_, i) => i + 1)
  return { plan, port, tokens: shuffled(ids, createRandom(0x600d)) }
}

async function compareFirst(context: BenchContext, { small, large }: Sides): Promise<Measurement[]> {
  const cases = [
    ...LIST_READS.map(({ name, path }) => ({ name, path: (side: ReadSide, n: number) => path(n, side.tokens.length) })),
    ...tokenReads.map(({ name, path }) => ({
      name,
      path: ({ tokens }: ReadSide, n: number) => path(tokens[n % tokens.length] ?? 1),
    })),
  ].map(({ name, path }) => ({ name: `${name}, first`, path }))
  return await measureEach(context, cases, ({ name, path }) => {
    const readFirst = (side: ReadSide) => async (round: number) => {
      const tookMs: number[] = []
      for (let n = round * FIRST_READS; n < (round + 1) * FIRST_READS; n++) {
        tookMs.push(await timeRead(side.port, path(side, n)))
      }
      return { p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99) }
    }
    return compare(context, { ...ABOUT, name }, { baseline: readFirst(small), subject: readFirst(large) })
  })
}

async function compareRepeated(context: BenchContext, { small, large }: Sides): Promise<Measurement[]> {
  const cases = [
    { name: 'tokens, newest 1,000', path: () => '/api/tokens' },
    { name: 'tokens, highest market cap 24', path: () => '/api/tokens?sort=mcap-high&limit=24' },
    ...tokenReads.map(({ name, path }) => ({ name, path: ({ plan }: ReadSide) => path(busiestToken(plan)) })),
  ].map(({ name, path }) => ({ name: `${name}, again`, path }))
  return await measureEach(context, cases, ({ name, path }) => {
    const plan = { connections: CONNECTIONS, seconds: context.roundSeconds }
    const read = (side: ReadSide) => () => runLoad({ ...plan, port: side.port, paths: [path(side)] })
    return compare(context, { ...ABOUT, name }, { baseline: read(small), subject: read(large) })
  })
}
