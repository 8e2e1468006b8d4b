import type { BenchContext, Suite } from '../bench.ts'
import { busiestToken, type MarketPlan, unevenMarket } from '../dataset/market-plan.ts'
import { provideDataset } from '../dataset/provide-dataset.ts'
import { compare, measureEach } from '../load/interleave.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import type { LoadResult } from '../load/plans.ts'
import { createRandom, shuffled } from '../random.ts'
import type { Measurement, Target } from '../report/measurement.ts'
import { type ChildServer, startBareRoute } from '../servers/child-server.ts'
import { profilingFlags, startPapermoon } from '../servers/papermoon-server.ts'
import { tokenReads } from './token-reads.ts'

const CONNECTIONS = 32
/** Number of different responses that the bare route returns in turn, as a baseline for varied reads. */
const SAMPLES = 64
const AT_LEAST_HALF = { min: 0.5 }

export const reads: Suite = {
  name: 'reads',
  about: 'anonymous REST reads against a bare Fastify route that returns the same bytes',
  run: async (context) => {
    const plan = unevenMarket(
      context.isQuick
        ? { tokens: 200, players: 200, trades: 5_000 }
        : { tokens: 10_000, players: 10_000, trades: 1_000_000 },
    )
    const { dataDir, megabytes } = await provideDataset(plan, context.say)
    context.note('reads: data folder, MB', megabytes)
    const load = new LoadGenerator()
    const papermoon = await startPapermoon(dataDir, profilingFlags(context))
    const bare = await startBareRoute()
    try {
      const bench = { context, load, papermoon, bare }
      return await measureEach(context, listCases(plan), (one) => compareRead(bench, one))
    } finally {
      await load.close()
      await bare.stop()
      await papermoon.stop()
    }
  },
}

interface ReadCase {
  readonly name: string
  /** Paths to request in turn. */
  readonly paths: readonly string[]
  /** The target; null for first reads, which report the database's speed without a target. */
  readonly target: Target | null
}

interface ReadBench {
  readonly context: BenchContext
  readonly load: LoadGenerator
  readonly papermoon: ChildServer
  readonly bare: ChildServer
}

/** Lists the reads. Each is measured for the busiest token repeatedly, then for every token or player in turn. */
function listCases(plan: MarketPlan): ReadCase[] {
  const { players } = plan
  const token = busiestToken(plan)
  const anyToken = shuffled(numbersTo(plan.tokens.length), createRandom(0x1d5))
  const anyPlayer = shuffled(numbersTo(players), createRandom(0x1d7))
  return [
    ...[
      { name: 'tokens, newest 1,000', paths: ['/api/tokens'] },
      { name: 'tokens, newest 24', paths: ['/api/tokens?limit=24'] },
      ...tokenReads.map(({ name, path }) => ({ name, paths: [path(token)] })),
      { name: 'leaderboard', paths: ['/api/leaderboard'] },
      { name: 'profile', paths: [`/api/users/${Math.ceil(players / 2)}/profile`] },
    ].map((one) => ({ ...one, target: AT_LEAST_HALF })),
    ...tokenReads.map(({ name, path }) => ({ name: `${name}, any`, paths: anyToken.map(path), target: null })),
    { name: 'profile, any', paths: anyPlayer.map((id) => `/api/users/${id}/profile`), target: null },
  ]
}

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1)

async function compareRead(bench: ReadBench, { name, paths, target }: ReadCase): Promise<Measurement> {
  const { context, load, papermoon, bare } = bench
  await bare.tell(await fetchAnswers(papermoon.port, paths.slice(-SAMPLES)))
  const plan = { connections: CONNECTIONS, seconds: context.roundSeconds }
  let asked = 0
  return await compare(
    context,
    { suite: 'reads', name, figure: 'perSecond', target },
    {
      baseline: () => withCpu(bare, load.run({ ...plan, port: bare.port, paths: ['/'], first: 0 })),
      subject: async () => {
        const result = await withCpu(papermoon, load.run({ ...plan, port: papermoon.port, paths, first: asked }))
        asked += result.answered
        return result
      },
    },
  )
}

/** Adds the CPU time per request of the server's process, without the database. */
async function withCpu(server: ChildServer, load: Promise<LoadResult>): Promise<LoadResult & { cpuUs: number }> {
  const beforeMs = server.cpuMs()
  const result = await load
  return { ...result, cpuUs: ((server.cpuMs() - beforeMs) * 1_000) / result.answered }
}

async function fetchAnswers(
  port: number,
  paths: readonly string[],
): Promise<{ contentType: string; bodies: string[] }> {
  let contentType = ''
  const bodies: string[] = []
  for (const path of paths) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: '*/*' } })
    if (answer.status !== 200) throw new Error(`${answer.status} for ${path}: ${await answer.text()}`)
    contentType = answer.headers.get('content-type') ?? ''
    bodies.push(await answer.text())
  }
  return { contentType, bodies }
}
