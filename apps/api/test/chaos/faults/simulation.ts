import { planSimulation, runSimulation, type SimulationSeen } from '@papermoon/engine/simulation'
import type { Fault } from './fault.ts'

/** A hundred lines of progress. */
const LINES = 100

export const simulation: Fault = {
  name: 'simulation',
  about:
    'the code that chooses a leader and forwards orders, in memory: 2 to 100 nodes, and everything between them fails',
  run: async ({ seeds: { first, count }, say }) => {
    const last = first + count - 1
    const sums: Record<string, number> = {}
    let leaderlessMs = 0
    for (let seed = first; seed <= last; seed++) {
      const seen = await run(seed)
      leaderlessMs = Math.max(leaderlessMs, seen.leaderlessMs)
      for (const [name, figure] of Object.entries(seen)) sums[name] = (sums[name] ?? 0) + figure
      if (seed % Math.ceil(count / LINES) === 0) say(`seeds ${first} to ${seed}`)
    }
    const { acknowledged = 0, refused = 0, busy = 0, unresolved = 0, forwarded = 0, lost = 0, leaders = 0 } = sums
    return [
      `seeds ${first} to ${last}: ${acknowledged} orders acknowledged, none lost, doubled or shown and then gone`,
      `${refused} refused, ${busy} busy, ${unresolved} never resolved by their player`,
      `${forwarded} forwarded, ${lost} answers lost, ${leaders} leaders, at most ${Math.round(leaderlessMs)} ms without one`,
    ].join('; ')
  },
}

async function run(seed: number): Promise<SimulationSeen> {
  try {
    return await runSimulation(planSimulation(seed))
  } catch (error) {
    throw new Error(`seed ${seed} breaks a promise`, { cause: error })
  }
}
