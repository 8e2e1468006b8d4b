import type { EmbeddedPostgres } from '@papermoon/db'
import type { BenchContext, Suite } from '../../bench.ts'
import { unevenMarket } from '../../dataset/market-plan.ts'
import { onScratchDatabase } from '../../dataset/on-scratch-market.ts'
import { type Driver, startDriver } from '../../engine/start-driver.ts'
import { interleaveAll } from '../../load/interleave.ts'
import { type Measurement, type Round, type Target, toMeasurement } from '../../report/measurement.ts'

const SIZE = { tokens: 1_000, players: 10_000 }
const IN_FLIGHT = 512

export const nodes: Suite = {
  name: 'nodes',
  about: 'trades of two nodes on one database, with and without a leading engine, against one node; in process',
  run: async (context) => {
    const plan = unevenMarket({ ...SIZE, trades: SIZE.tokens })
    return await onScratchDatabase({ name: 'nodes', plan, say: context.say }, (postgres) =>
      compareOn(context, postgres),
    )
  },
}

interface NodesCase {
  readonly name: string
  readonly tokens: number
  /** Least rate of two nodes with a leading engine, as a ratio to one node. */
  readonly target: Target | null
}

const CASES: readonly NodesCase[] = [
  { name: 'hot token', tokens: 1, target: { min: 1 } },
  { name: '1,000 tokens', tokens: 1_000, target: null },
]

async function compareOn(context: BenchContext, { address }: EmbeddedPostgres): Promise<Measurement[]> {
  const one = await startDriver('engine', address)
  const other = await startDriver('engine', address)
  const leader = await startDriver('node', address)
  const follower = await startDriver('node', address)
  try {
    const measurements: Measurement[] = []
    for (const { name, tokens, target } of CASES.filter((it) => it.name.includes(context.only))) {
      const plan = { tokens, seconds: Math.ceil(context.roundSeconds * 2) }
      const rounds = await interleaveAll(context.rounds, {
        one: async () => ({ ...(await one.drive({ ...plan, players: SIZE.players, inFlight: IN_FLIGHT })) }),
        alone: () => driveBoth([one, other], plan),
        led: () => driveBoth([leader, follower], plan),
      })
      const compare = (side: 'alone' | 'led', figure: 'perSecond' | 'p99Ms' | 'nodeUs', goal: Target | null) =>
        toMeasurement({
          suite: 'nodes',
          name: `${name}, ${side === 'led' ? 'one engine leads' : 'each its own engine'}: ${figure}`,
          figure,
          target: goal,
          rounds: rounds.map((round) => ({ subject: round[side], baseline: round.one })),
        })
      measurements.push(
        compare('alone', 'perSecond', null),
        compare('led', 'perSecond', target),
        compare('alone', 'p99Ms', null),
        compare('led', 'p99Ms', target === null ? null : { max: 1.5 }),
        // CPU time of both processes for an order holds beside other work, when rates do not.
        compare('alone', 'nodeUs', null),
        compare('led', 'nodeUs', null),
      )
    }
    return measurements
  } finally {
    for (const driver of [follower, leader, other, one]) await driver.stop()
  }
}

/** Two nodes at once, each with half of the players and of the orders in flight; the slower one's p99. */
async function driveBoth(
  drivers: readonly [Driver, Driver],
  plan: { readonly tokens: number; readonly seconds: number },
): Promise<Round> {
  const players = SIZE.players / 2
  const results = await Promise.all(
    drivers.map((driver, i) => driver.drive({ ...plan, players, playersAfter: i * players, inFlight: IN_FLIGHT / 2 })),
  )
  const waits = results.map(({ p99Ms }) => p99Ms ?? Number.NaN)
  const perSecond = results.reduce((sum, result) => sum + result.perSecond, 0)
  const usPerSecond = results.reduce((sum, result) => sum + result.perSecond * (result.nodeUs ?? Number.NaN), 0)
  return {
    perSecond,
    // CPU time of both processes.
    nodeUs: usPerSecond / perSecond,
    p99Ms: Math.max(...waits),
  }
}
