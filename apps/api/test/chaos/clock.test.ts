import { expect, it } from 'vitest'
import { turnClockBack } from './faults/clock.ts'

it('a clock that jumps back an hour: trading, queries, sessions and other nodes go on, and no token’s time goes back', async () => {
  const { times } = await turnClockBack()
  // Trades made while the clock is behind get the time of the last trade before.
  expect(new Set(times).size).toBeLessThan(times.length)
  expect(times).toEqual(times.toSorted())
}, 240_000)
