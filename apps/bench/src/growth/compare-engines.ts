import { connect, type EmbeddedPostgres, startEmbedded } from '@papermoon/db'
import { sql } from 'kysely'
import type { BenchContext } from '../bench.ts'
import type { MarketPlan } from '../dataset/market-plan.ts'
import type { Dataset } from '../dataset/provide-dataset.ts'
import { type Driver, startDriver } from '../engine/start-driver.ts'
import { compare, measureEach } from '../load/interleave.ts'
import type { Measurement } from '../report/measurement.ts'

const IN_FLIGHT = 512

interface EngineCase {
  readonly name: string
  tokens(plan: MarketPlan): number
  readonly min: number
  /** How long to trade before the first round, in seconds, because nothing is cached after a start. */
  readonly warmUpS?: number
}

const CASES: readonly EngineCase[] = [
  { name: 'engine, hot token, 512', tokens: () => 1, min: 1 / 1.3 },
  { name: 'engine, 1,000 tokens, 512', tokens: ({ tokens }) => Math.min(1_000, tokens.length), min: 1 / 1.3 },
  { name: 'engine, all tokens, 512', tokens: ({ tokens }) => tokens.length, min: 0.7, warmUpS: 40 },
]

/** Compares the engine's trades per second, in this process, on both markets. */
export async function compareEngines(context: BenchContext, small: Dataset, large: Dataset): Promise<Measurement[]> {
  const cases = CASES.filter(({ name }) => name.includes(context.only))
  if (cases.length === 0) return []
  const sides = { small: await openSide(context, small), large: await openSide(context, large) }
  try {
    return await measureEach(context, cases, (each) => compareCase(context, sides, each))
  } finally {
    for (const { driver, postgres } of Object.values(sides)) {
      await driver.stop()
      await postgres.stop()
    }
  }
}

interface EngineSide {
  readonly plan: MarketPlan
  readonly postgres: EmbeddedPostgres
  readonly driver: Driver
}

async function openSide(context: BenchContext, { plan, dataDir }: Dataset): Promise<EngineSide> {
  const postgres = await startEmbedded({ dataDir, onUnexpectedEnd: ({ reason }) => context.say(reason) })
  await giveMoney(postgres)
  return { plan, postgres, driver: await startDriver('engine', postgres.address) }
}

async function compareCase(
  context: BenchContext,
  { small, large }: Readonly<Record<'small' | 'large', EngineSide>>,
  { name, tokens, min, warmUpS = 0 }: EngineCase,
): Promise<Measurement> {
  const drive = ({ plan, driver }: EngineSide, seconds = context.roundSeconds * 2) =>
    driver.drive({ tokens: tokens(plan), players: plan.players, inFlight: IN_FLIGHT, seconds })
  if (warmUpS > 0 && !context.isQuick) for (const side of [small, large]) await drive(side, warmUpS)
  const about = { suite: 'growth', name, figure: 'perSecond', target: { min } }
  return await compare(context, about, { baseline: () => drive(small), subject: () => drive(large) })
}

/**
 * Gives SOL to players who may have lost nearly everything. The SOL is recorded as grants, so that the sums stay
 * balanced.
 */
async function giveMoney({ address }: EmbeddedPostgres): Promise<void> {
  const { db, close } = connect(address, { poolMax: 1, statementTimeoutMs: 120_000 })
  await sql`with poor as (
      update accounts set sol_balance = sol_balance + 100 where sol_balance < 50 returning user_id
    )
    insert into grants (user_id, kind, amount) select user_id, 'reset', 100 from poor`
    .execute(db)
    .finally(close)
}
