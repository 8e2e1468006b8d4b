import { expect, it } from 'vitest'
import { judge } from './faults/hostile/hostile.ts'
import { type HostileSeen, sufferAttacks } from './faults/hostile/suffer-attacks.ts'

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

const unharmed: HostileSeen = {
  peaceP99Ms: 20,
  attackP99Ms: 60,
  grownMb: 100,
  orders: 1,
  perSecond: 196,
  strikes: { 'wrong login': { 401: 3, 503: 1, none: 2 } },
}

it('keeps every promise at its limit', () => {
  expect(judge(unharmed, 200).every(({ isKept }) => isKept)).toBe(true)
})

it.each([
  ['p99 of the players 61 ms, in peace 20 ms: 3.05 times', { attackP99Ms: 61 }],
  ['p99 of the players NaN ms', { attackP99Ms: Number.NaN }],
  ['memory 101 MB more', { grownMb: 101 }],
  ['answers 500: long path', { strikes: { 'long path': { 400: 9, 500: 1 } } }],
  ['195 strikes a second', { perSecond: 195 }],
])('says what was missed: %s', (line, harm) => {
  const missed = judge({ ...unharmed, ...harm }, 200).filter(({ isKept }) => !isKept)
  expect(missed).toEqual([{ line: expect.stringContaining(line), isKept: false }])
})
