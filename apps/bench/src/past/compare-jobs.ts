import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbedded } from '@papermoon/db'
import type { BenchContext } from '../bench.ts'
import { makeDataset } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { startDriver } from '../engine/start-driver.ts'
import { interleave } from '../load/interleave.ts'
import { BENCH_FOLDER } from '../paths.ts'
import { type Measurement, toMeasurement } from '../report/measurement.ts'

const SIZE = { tokens: 1_000, players: 10_000 }
const IN_FLIGHT = 512
const CASES = [
  { name: 'engine with checkpoints, hot token, 512', driver: 'checkpointing', tokens: 1 },
  { name: 'engine with checkpoints, 1,000 tokens, 512', driver: 'checkpointing', tokens: 1_000 },
  { name: 'engine with notices, hot token, 512', driver: 'noticing', tokens: 1 },
  { name: 'engine with notices, 1,000 tokens, 512', driver: 'noticing', tokens: 1_000 },
] as const

/** Compares the engine's trades per second beside a job that follows the market with those without it. */
export async function compareJobs(context: BenchContext): Promise<Measurement[]> {
  const cases = CASES.filter(({ name }) => name.includes(context.only))
  if (cases.length === 0) return []
  const dataDir = join(BENCH_FOLDER, 'past')
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  await makeDataset(dataDir, unevenMarket({ ...SIZE, trades: SIZE.tokens }), context.say)
  const postgres = await startEmbedded({ dataDir, onUnexpectedEnd: ({ reason }) => context.say(reason) })
  const plain = await startDriver('engine', postgres.address)
  const jobs = {
    checkpointing: await startDriver('checkpointing', postgres.address),
    noticing: await startDriver('noticing', postgres.address),
  }
  try {
    const measurements: Measurement[] = []
    for (const { name, driver, tokens } of cases) {
      const plan = { tokens, players: SIZE.players, inFlight: IN_FLIGHT, seconds: context.roundSeconds * 2 }
      const rounds = await interleave(context.rounds, {
        baseline: () => plain.drive(plan),
        subject: () => jobs[driver].drive(plan),
      })
      // Two runs of the same engine differ by up to 5 %.
      const target = { min: 0.95 }
      const measurement = toMeasurement({ suite: 'past', name, figure: 'perSecond', target, rounds })
      const [least, most] = measurement.spread
      context.say(`  ${name}: ${measurement.ratio.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`)
      measurements.push(measurement)
    }
    return measurements
  } finally {
    await jobs.checkpointing.stop()
    await jobs.noticing.stop()
    await plain.stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
