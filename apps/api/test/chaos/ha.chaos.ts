import { needs } from '@papermoon/db/testing'
import { listMissingPackages } from '@papermoon/deploy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLUSTER_FAULTS } from './faults/ha/cluster-faults.ts'
import { describeFault } from './faults/ha/ha.ts'
import { ReplicatedMarket } from './faults/ha/replicated-market.ts'

const ROUND_MAX_MS = 300_000
const ORDERS = 30
const missing = listMissingPackages()
/** The shortest; the others take up to half a minute each. */
const SHORTEST = CLUSTER_FAULTS.slice(0, 2)

/** All of them: `npm run chaos -- ha`. */
describe('a replicated PostgreSQL under two nodes', needs(missing.join(', '), missing.length === 0), () => {
  let market: ReplicatedMarket
  beforeAll(async () => {
    market = await ReplicatedMarket.start()
  }, ROUND_MAX_MS)
  afterAll(() => market?.remove(), ROUND_MAX_MS)

  it.each(SHORTEST.map((fault) => [fault.name, fault] as const))(
    '%s: no acknowledged order is lost or doubled, no feed has a gap, and trading goes on',
    async (name, fault) => {
      const seen = await market.suffer(fault, ORDERS)
      process.stdout.write(`${name}: ${describeFault(seen)}\n`)
      expect(seen.trades).toBeGreaterThanOrEqual(2 * ORDERS)
      // On a free machine within `withinSeconds`, which the chaos run holds; the printed figure tells.
      expect(seen.seconds).toBeLessThan(60)
    },
    ROUND_MAX_MS,
  )

  it(
    'refuses in one sentence to start a node on a standby',
    async () => {
      const { code, stderr } = await market.startOnReplica()
      expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^The database of DATABASE_URL is a replica, /)])
      expect(code).toBe(1)
    },
    ROUND_MAX_MS,
  )
})
