import { expect, it } from 'vitest'
import { sufferAttacks } from './faults/hostile/suffer-attacks.ts'

// Every client needs a loopback address of its own; only Linux has the whole 127.0.0.0/8.
it.skipIf(process.platform !== 'linux')(
  'a market under every attack places all orders, breaks nowhere and trades on no misspelt one',
  async () => {
    const { orders, strikes } = await sufferAttacks({ seconds: 3, perSecond: 40 })
    expect(orders).toBeGreaterThan(0)
    const statuses = Object.values(strikes).flatMap((counts) => Object.keys(counts))
    expect(statuses.filter((status) => status === '500')).toEqual([])
    for (const name of ['typed array by POST', 'typed array by GET', 'long path', 'deep lists', 'misspelt guard']) {
      expect([name, Object.keys(strikes[name] ?? {}).filter((status) => status !== 'none')]).toEqual([name, ['400']])
    }
  },
  120_000,
)
