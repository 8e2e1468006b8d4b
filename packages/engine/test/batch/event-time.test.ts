import { Decimal, launchPool, spotPrice } from '@papermoon/amm'
import { describe, expect, it } from 'vitest'
import { getEventTime } from '../../src/batch/apply-trade.ts'
import { NO_SEAL, type TokenPool } from '../../src/batch/market.ts'
import { NO_BOOK } from '../../src/waiting/waiting-order.ts'

const pool = {
  tokenId: 1,
  pool: launchPool(),
  fees: new Decimal(0),
  price: spotPrice(launchPool()),
  chainHead: '0',
  seq: 0,
  lastEventAtMs: 1_000,
  isHidden: false,
  creatorId: 1,
  seal: NO_SEAL,
  book: NO_BOOK,
  closing: { atMs: 5_000, isPast: false },
} as TokenPool

describe('the time of an event', () => {
  it('never goes back, even if the clock does', () => {
    expect([400, 1_000, 2_000].map((nowMs) => getEventTime(pool, nowMs))).toEqual([1_000, 1_000, 2_000])
  })

  it('is before the bell of a fair, when the ranking is computed', () => {
    expect([4_999, 5_000, 9_000].map((nowMs) => getEventTime(pool, nowMs))).toEqual([4_999, 4_999, 4_999])
    expect(getEventTime({ ...pool, closing: null }, 9_000)).toBe(9_000)
  })
})
