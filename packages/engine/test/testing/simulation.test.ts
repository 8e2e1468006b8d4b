import { describe, expect, it } from 'vitest'
import { planSimulation, runSimulation, type SimulationSeen } from '../../src/testing/simulation/run-simulation.ts'

/** About five seconds of one core. More: `npm run chaos -- simulation --seeds 100000`. */
const SEEDS = 1_000

/** The first seed whose market breaks a promise, and which; null: none. */
async function findBroken(seeds: number, more: { readonly ignoresDeadlines?: boolean } = {}): Promise<string | null> {
  for (let seed = 1; seed <= seeds; seed++) {
    try {
      await runSimulation({ ...planSimulation(seed), ...more })
    } catch (error) {
      return `seed ${seed}: ${error}`
    }
  }
  return null
}

describe('nodes whose processes, links, database and clocks fail', () => {
  it(`lose, double and un-show no order, and find a leader again, in ${SEEDS} markets`, async () => {
    expect(await findBroken(SEEDS)).toBeNull()
  })

  it('find a leader again where a node that was long frozen is the only one', async () => {
    const seen = await runSimulation(planSimulation(92_606))
    expect(seen.leaderlessMs).toBeLessThan(1_000)
  })

  it('do the same for the same seed', async () => {
    const runs: SimulationSeen[] = []
    for (let i = 0; i < 2; i++) runs.push(await runSimulation({ seed: 7, nodes: 5, orders: 24 }))
    expect(runs[1]).toEqual(runs[0])
  })

  it('forward orders, decline them, lose answers and change leaders, so that all of it is tried', async () => {
    const seen = await runSimulation({ seed: 3, nodes: 100, orders: 60 })
    expect(seen.acknowledged).toBeGreaterThan(10)
    expect(seen.forwarded).toBeGreaterThan(10)
    expect(seen.lost).toBeGreaterThan(0)
    expect(seen.leaders).toBeGreaterThan(1)
  })

  it('are found out if a leader begins orders that are too old', async () => {
    expect(await findBroken(SEEDS, { ignoresDeadlines: true })).toContain('is in the books')
  })
})
