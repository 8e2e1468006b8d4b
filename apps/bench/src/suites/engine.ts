import type { BenchContext, Suite } from '../bench.ts'
import { makeScratchMarket, startPostgres } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { openEngine } from '../engine/open-engine.ts'
import { BASELINE_CONNECTIONS as CONNECTIONS, startBaseline } from '../engine/start-baseline.ts'
import { type DrivePlan, type DriveResult, tradeByEngine, tradeInTurn } from '../engine/trade-in-turn.ts'
import { compare, measureEach } from '../load/interleave.ts'
import type { Measurement, Round, Target } from '../report/measurement.ts'
import { readFamilyCpuMs } from '../servers/cpu-time.ts'

const SIZE = { tokens: 1_000, players: 10_000 }

type Drive<Result> = (plan: DrivePlan) => Promise<Result>

export const engine: Suite = {
  name: 'engine',
  about: 'trades of the engine, in process, against a stored procedure called once a trade over 8 connections',
  run: async (context) => {
    const dataDir = await makeScratchMarket(context, unevenMarket({ ...SIZE, trades: SIZE.tokens }))
    const postgres = await startPostgres(context, dataDir)
    /** Adds PostgreSQL's CPU time per trade to each round. */
    const withPostgres =
      (drive: Drive<DriveResult>): Drive<Round> =>
      async (plan) => {
        const beforeMs = readFamilyCpuMs(postgres.pid())
        const result = await drive(plan)
        const trades = result.perSecond * plan.seconds
        return { ...result, postgresUs: ((readFamilyCpuMs(postgres.pid()) - beforeMs) / trades) * 1_000 }
      }
    const baseline = withPostgres(await startBaseline(context, postgres.address, SIZE))
    const trade = tradeByEngine(openEngine(context, postgres.address).engine)
    const subject = withPostgres((plan) => tradeInTurn(plan, trade))
    return await measureEach(context, CASES, (one) => compareCase(context, { baseline, subject }, one))
  },
}

interface EngineCase {
  readonly name: string
  readonly tokens: number
  readonly inFlight: number
  /** Number of connections that call the stored procedure. */
  readonly connections: number
  readonly figure: 'perSecond' | 'meanMs'
  readonly target: Target | null
}

const SINGLE = { inFlight: 1, connections: 1, figure: 'meanMs', target: { max: 3 } } as const
const MANY = { connections: CONNECTIONS, figure: 'perSecond' } as const
const CASES: readonly EngineCase[] = [
  { name: 'hot token, 1', tokens: 1, ...SINGLE },
  { name: 'hot token, 64', tokens: 1, inFlight: 64, target: null, ...MANY },
  { name: 'hot token, 512', tokens: 1, inFlight: 512, target: { min: 8 }, ...MANY },
  { name: '1,000 tokens, 1', tokens: 1_000, ...SINGLE },
  { name: '1,000 tokens, 64', tokens: 1_000, inFlight: 64, target: null, ...MANY },
  { name: '1,000 tokens, 512', tokens: 1_000, inFlight: 512, target: { min: 2.5 }, ...MANY },
]

async function compareCase(
  context: BenchContext,
  { baseline, subject }: Readonly<Record<'baseline' | 'subject', Drive<Round>>>,
  { name, tokens, inFlight, connections, figure, target }: EngineCase,
): Promise<Measurement> {
  // pgbench accepts only whole seconds.
  const plan = { tokens, players: SIZE.players, seconds: Math.ceil(context.roundSeconds * 2) }
  const about = { suite: 'engine', name, figure, target }
  const measurement = await compare(context, about, {
    baseline: () => baseline({ ...plan, inFlight: connections }),
    subject: () => subject({ ...plan, inFlight }),
  })
  const { nodeUs = Number.NaN, postgresUs = Number.NaN } = measurement.subject
  const cost = `Node ${nodeUs.toFixed(0)} µs, PostgreSQL ${postgresUs.toFixed(0)} µs`
  context.say(`  ${cost} a trade (${measurement.baseline.postgresUs?.toFixed(0)} µs)`)
  return measurement
}
