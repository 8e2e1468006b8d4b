import { sql } from 'kysely'
import type { BenchContext } from '../bench.ts'
import { startPostgres } from '../dataset/make-dataset.ts'
import { countTokens, type MarketPlan } from '../dataset/market-plan.ts'
import type { Dataset } from '../dataset/provide-dataset.ts'
import { openEngine } from '../engine/open-engine.ts'
import { type DriveResult, tradeByEngine, tradeInTurn } from '../engine/trade-in-turn.ts'
import { compare, measureEach } from '../load/interleave.ts'
import type { Measurement } from '../report/measurement.ts'

const IN_FLIGHT = 512

interface EngineCase {
  readonly name: string
  tokens(plan: MarketPlan): number
  readonly min: number
  /** How long to trade before the first round, in seconds. Right after a start, the caches are empty. */
  readonly warmUpS?: number
}

const CASES: readonly EngineCase[] = [
  { name: 'engine, hot token, 512', tokens: () => 1, min: 1 / 1.3 },
  { name: 'engine, 1,000 tokens, 512', tokens: (plan) => Math.min(1_000, countTokens(plan)), min: 1 / 1.3 },
  { name: 'engine, all tokens, 512', tokens: countTokens, min: 0.7, warmUpS: 40 },
]

/** Compares how many trades per second the engine makes on both markets, in this process. */
export async function compareEngines(
  context: BenchContext,
  datasets: Readonly<Record<'small' | 'large', Dataset>>,
): Promise<Measurement[]> {
  const [small, large] = [await openSide(context, datasets.small), await openSide(context, datasets.large)]
  return await measureEach(context, CASES, async ({ name, tokens, min, warmUpS = 0 }) => {
    const seconds = context.roundSeconds * 2
    if (warmUpS > 0 && !context.isQuick) for (const drive of [small, large]) await drive(tokens, warmUpS)
    const about = { suite: 'growth', name, figure: 'perSecond', target: { min } }
    return await compare(context, about, {
      baseline: () => small(tokens, seconds),
      subject: () => large(tokens, seconds),
    })
  })
}

type Drive = (tokens: EngineCase['tokens'], seconds: number) => Promise<DriveResult>

/**
 * Opens the engine on a market. Grants SOL to the players, because they may have lost nearly everything. The grants are
 * recorded in the journal, so that the market's sums stay balanced.
 */
async function openSide(context: BenchContext, { plan, dataDir }: Dataset): Promise<Drive> {
  const postgres = await startPostgres(context, dataDir)
  const { engine, database } = openEngine(context, postgres.address)
  await sql`with poor as (
      update accounts set sol_balance = sol_balance + 100 where sol_balance < 50 returning user_id
    )
    insert into grants (user_id, kind, amount) select user_id, 'reset', 100 from poor`.execute(database.db)
  const trade = tradeByEngine(engine)
  return (tokens, seconds) =>
    tradeInTurn({ tokens: tokens(plan), players: plan.players, inFlight: IN_FLIGHT, seconds }, trade)
}
