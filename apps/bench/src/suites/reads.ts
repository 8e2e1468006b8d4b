import type { BenchContext, Suite } from '../bench.ts'
import { busiestToken, type MarketPlan, unevenMarket } from '../dataset/market-plan.ts'
import { provideDataset } from '../dataset/provide-dataset.ts'
import { call } from '../load/call.ts'
import { compare, measureEach } from '../load/interleave.ts'
import { runLoad } from '../load/run-load.ts'
import type { Measurement } from '../report/measurement.ts'
import { type ChildServer, startBareRoute } from '../servers/child-server.ts'
import { startPapermoon } from '../servers/papermoon-server.ts'
import { tokenReads } from './token-reads.ts'

const CONNECTIONS = 32
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
    const { dataDir } = await provideDataset(context, plan)
    const papermoon = await startPapermoon(context, dataDir)
    const bench = { context, papermoon, bare: await startBareRoute(context) }
    return await measureEach(context, listCases(plan), (one) => compareRead(bench, one))
  },
}

interface ReadCase {
  readonly name: string
  readonly path: string
}

interface ReadBench {
  readonly context: BenchContext
  readonly papermoon: ChildServer
  readonly bare: ChildServer
}

function listCases(plan: MarketPlan): ReadCase[] {
  const token = busiestToken(plan)
  return [
    { name: 'tokens, newest 1,000', path: '/api/tokens' },
    { name: 'tokens, newest 24', path: '/api/tokens?limit=24' },
    ...tokenReads.map(({ name, path }) => ({ name, path: path(token) })),
    { name: 'leaderboard', path: '/api/leaderboard' },
    { name: 'profile', path: `/api/users/${Math.ceil(plan.players / 2)}/profile` },
  ]
}

async function compareRead({ context, papermoon, bare }: ReadBench, { name, path }: ReadCase): Promise<Measurement> {
  await bare.tell(await fetchAnswer(papermoon.port, path))
  const plan = { connections: CONNECTIONS, seconds: context.roundSeconds }
  const read = (server: ChildServer, paths: readonly string[]) => () =>
    server.measureCpu(runLoad({ ...plan, port: server.port, paths }))
  const about = { suite: 'reads', name, figure: 'perSecond', target: AT_LEAST_HALF }
  return await compare(context, about, { baseline: read(bare, ['/']), subject: read(papermoon, [path]) })
}

async function fetchAnswer(port: number, path: string): Promise<{ contentType: string; body: string }> {
  const answer = await call(port, path)
  return { contentType: answer.headers.get('content-type') ?? '', body: await answer.text() }
}
