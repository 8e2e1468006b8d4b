import type { EmbeddedPostgres } from '@papermoon/db'
import type { BenchContext, Suite } from '../../bench.ts'
import { unevenMarket } from '../../dataset/market-plan.ts'
import { onScratchDatabase } from '../../dataset/on-scratch-market.ts'
import { BASELINE_CONNECTIONS as CONNECTIONS, startBaseline } from '../../engine/start-baseline.ts'
import { type Driver, startDriver } from '../../engine/start-driver.ts'
import { interleave } from '../../load/interleave.ts'
import { type Measurement, type Target, toMeasurement } from '../../report/measurement.ts'
import { readFamilyCpuMs } from '../../servers/cpu-time.ts'

const SIZE = { tokens: 1_000, players: 10_000 }

export const engine: Suite = {
  name: 'engine',
  about:
    'trades of the engine, in process, against a stored procedure called once a trade over 8 connections; with spending limits, and with keys of callers, against without',
  run: async (context) => {
    const plan = unevenMarket({ ...SIZE, trades: SIZE.tokens })
    return await onScratchDatabase({ name: 'engine', plan, say: context.say }, (postgres) =>
      compareOn(context, postgres),
    )
  },
}

interface EngineCase {
  readonly name: string
  readonly tokens: number
  readonly inFlight: number
  /** Target as a ratio to the baseline. */
  readonly connections: number
  readonly figure: 'perSecond' | 'meanMs'
  readonly target: Target | null
}

const CASES: readonly EngineCase[] = [
  { name: 'hot token, 1', tokens: 1, inFlight: 1, connections: 1, figure: 'meanMs', target: { max: 3 } },
  { name: 'hot token, 64', tokens: 1, inFlight: 64, connections: CONNECTIONS, figure: 'perSecond', target: null },
  {
    name: 'hot token, 512',
    tokens: 1,
    inFlight: 512,
    connections: CONNECTIONS,
    figure: 'perSecond',
    target: { min: 8 },
  },
  { name: '1,000 tokens, 1', tokens: 1_000, inFlight: 1, connections: 1, figure: 'meanMs', target: { max: 3 } },
  {
    name: '1,000 tokens, 64',
    tokens: 1_000,
    inFlight: 64,
    connections: CONNECTIONS,
    figure: 'perSecond',
    target: null,
  },
  {
    name: '1,000 tokens, 512',
    tokens: 1_000,
    inFlight: 512,
    connections: CONNECTIONS,
    figure: 'perSecond',
    target: { min: 2.5 },
  },
]

async function compareOn(context: BenchContext, postgres: EmbeddedPostgres): Promise<Measurement[]> {
  const baseline = await startBaseline(context, postgres.address, SIZE)
  const engine = await startDriver('engine', postgres.address)
  try {
    const measurements: Measurement[] = []
    const cases = CASES.filter(({ name }) => name.includes(context.only))
    const sides = { baseline: measured(baseline, postgres), engine: measured(engine, postgres) }
    for (const one of cases) measurements.push(await compare(context, sides, one))
    return [...measurements, ...(await compareExtras(context, postgres, sides.engine))]
  } finally {
    await engine.stop()
    await baseline.stop()
  }
}

/** What an order may carry, against the same order without it. */
const EXTRAS = [
  { driver: 'spending', name: 'spending limits : none' },
  { driver: 'keyed', name: 'keys of callers : keys of the engine' },
] as const
const EXTRA_CASES = EXTRAS.flatMap((extra) => [
  { ...extra, name: `hot token, 512, ${extra.name}`, tokens: 1 },
  { ...extra, name: `1,000 tokens, 512, ${extra.name}`, tokens: 1_000 },
])

async function compareExtras(
  context: BenchContext,
  postgres: EmbeddedPostgres,
  engine: Pick<Driver, 'drive'>,
): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const { driver, name, tokens } of EXTRA_CASES.filter((one) => one.name.includes(context.only))) {
    const started = await startDriver(driver, postgres.address)
    try {
      const extra = measured(started, postgres)
      const plan = { tokens, players: SIZE.players, seconds: Math.ceil(context.roundSeconds * 2), inFlight: 512 }
      const rounds = await interleave(context.rounds, {
        baseline: () => engine.drive(plan),
        subject: () => extra.drive(plan),
      })
      const measurement = toMeasurement({ suite: 'engine', name, figure: 'perSecond', target: null, rounds })
      context.say(`  ${name}: ${measurement.ratio.toFixed(2)}`)
      measurements.push(measurement)
    } finally {
      await started.stop()
    }
  }
  return measurements
}

async function compare(
  context: BenchContext,
  { baseline, engine }: Readonly<Record<'baseline' | 'engine', Pick<Driver, 'drive'>>>,
  { name, tokens, inFlight, connections, figure, target }: EngineCase,
): Promise<Measurement> {
  // pgbench accepts whole seconds only.
  const plan = { tokens, players: SIZE.players, seconds: Math.ceil(context.roundSeconds * 2) }
  const rounds = await interleave(context.rounds, {
    baseline: () => baseline.drive({ ...plan, inFlight: connections }),
    subject: () => engine.drive({ ...plan, inFlight }),
  })
  const measurement = toMeasurement({ suite: 'engine', name, figure, target, rounds })
  const { nodeUs = Number.NaN, postgresUs = Number.NaN } = measurement.subject
  const cost = `Node ${nodeUs.toFixed(0)} µs, PostgreSQL ${postgresUs.toFixed(0)} µs`
  context.say(
    `  ${name}: ${measurement.ratio.toFixed(2)}; ${cost} a trade (${measurement.baseline.postgresUs?.toFixed(0)} µs)`,
  )
  return measurement
}

/** Adds PostgreSQL's CPU time per trade to each round. */
function measured(driver: Driver, postgres: EmbeddedPostgres): Pick<Driver, 'drive'> {
  return {
    drive: async (plan) => {
      const beforeMs = readFamilyCpuMs(postgres.pid())
      const result = await driver.drive(plan)
      const trades = result.perSecond * plan.seconds
      return { ...result, postgresUs: ((readFamilyCpuMs(postgres.pid()) - beforeMs) / trades) * 1_000 }
    },
  }
}
