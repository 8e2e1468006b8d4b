import { token, userId } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import { rugStakes } from '../../src/features/trading/creator/rug-stakes.ts'
import type { Holder, Token } from '../../src/lib/api/api.ts'

const base = token()
const creatorId = base.creator.id
/** A token of which players hold 1,000. */
const traded: Token = {
  ...base,
  currentPrice: '0.000000031234567891',
  pool: { ...base.pool, tokenReserve: '999999000.000001' },
}
const holder = (id: number, amount = '1'): Holder => ({
  userId: userId(id),
  username: `p${id}`,
  isBot: false,
  rank: 1,
  amount,
})

describe('the stakes of a rug pull', () => {
  it('are the tokens that neither the pool nor the creator holds, at their price', () => {
    const holders = [holder(creatorId, '400'), holder(901), holder(902)]
    expect(rugStakes(traded, holders, '400')).toEqual({
      others: 2,
      isAtLeast: false,
      amount: '599.999999',
      value: '0.00001874',
    })
  })

  it('are zero if only the creator holds the token', () => {
    const holders = [holder(creatorId, '999.999999')]
    expect(rugStakes(traded, holders, '999.999999')).toMatchObject({ others: 0, amount: '0', value: '0' })
  })

  it('count at least the holders that the server returns', () => {
    const holders = Array.from({ length: 20 }, (_, index) => holder(900 + index))
    expect(rugStakes(traded, holders, '0')).toMatchObject({ others: 20, isAtLeast: true, amount: '999.999999' })
  })
})
