import { FOREVER } from '@papermoon/contract/market-events'
import { expect, it } from 'vitest'
import { describeSeal } from '../../src/lib/market/seal.ts'

const NOW = Date.parse('2026-01-01T00:00:00.000Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const after = (ms: number) => new Date(NOW + ms).toISOString()
const describe = (until: string, bagUntil: string | null = null) =>
  describeSeal({ liquidityUntil: until, bagUntil, bagTokens: '5' }, NOW)

it.each([
  [after(59 * MINUTE_MS), null, 'Sealed for 59 min'],
  [after(59.6 * MINUTE_MS), null, 'Sealed for 1 h'],
  [after(23.4 * HOUR_MS), null, 'Sealed for 23 h'],
  [after(24 * HOUR_MS - 5_000), null, 'Sealed for 1 day'],
  [after(24 * HOUR_MS), after(24 * HOUR_MS), 'Sealed for 1 day, with the creator’s tokens'],
  [after(160 * HOUR_MS), after(3 * HOUR_MS), 'Sealed for 7 days, and the creator’s tokens for 3 h'],
  [after(150 * HOUR_MS), after(-1), 'Sealed for 6 days'],
  [FOREVER, null, 'Sealed for ever'],
  [FOREVER, FOREVER, 'Sealed for ever, with the creator’s tokens'],
])('says of a seal until %s, of the bag until %s: "%s"', (until, bagUntil, text) => {
  expect(describe(until, bagUntil)?.text).toBe(text)
})

it('says in full words what is sealed and for how long', () => {
  expect(describe(after(23.4 * HOUR_MS), after(HOUR_MS))?.label).toBe(
    'The liquidity is sealed for 23 hours, and the creator’s tokens are sealed for 1 hour',
  )
  expect(describe(FOREVER)?.label).toBe('The liquidity is sealed for ever')
})

it('counts down the last five minutes, and ends with the seal', () => {
  expect(describe(after(5 * MINUTE_MS + 1))?.countdown).toBeNull()
  expect(describe(after(5 * MINUTE_MS))?.countdown).toBe('5:00')
  expect(describe(after(4.5 * MINUTE_MS + 2_000))).toMatchObject({ countdown: '4:32', minutes: 5 })
  expect(describe(after(1))?.countdown).toBe('0:01')
  expect(describe(after(0))).toBeNull()
})

it('shows nothing for a token that was never sealed', () => {
  expect(describeSeal(null, NOW)).toBeNull()
})
