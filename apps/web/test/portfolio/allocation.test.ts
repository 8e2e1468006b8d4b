import { Decimal } from '@papermoon/amm'
import { formatShare } from '@papermoon/format'
import { describe, expect, it } from 'vitest'
import { computeAllocation } from '../../src/features/portfolio/holdings/allocation.ts'
import type { NetWorth } from '../../src/features/portfolio/net-worth/worth-line.ts'

type Largest = NetWorth['largest'][number]

const token = (id: number, cashOutValue: string): Largest => ({
  tokenId: id as Largest['tokenId'],
  tokenName: `Token ${id}`,
  tokenSymbol: 'T',
  emoji: '🌙',
  cashOutValue,
})

const worth: NetWorth = {
  netWorth: '100',
  balance: '50',
  cashOutValue: '30',
  ownPools: '20',
  ownBags: '19',
  openPools: 1,
  ownTokens: [],
  holdings: 5,
  granted: '100',
  largest: [token(1, '20'), token(2, '7.5')],
  others: '2.5',
  othersCount: 2,
}

describe('the allocation of a net worth', () => {
  it('lists every part once, and the parts add up: a holding of one’s token counts in its pool', () => {
    const parts = computeAllocation(worth)
    expect(parts.map(({ name, sol, share }) => [name, sol, share])).toEqual([
      ['SOL balance', '50', '50.00%'],
      ['SOL in your pool', '20', '20.00%'],
      ['Token 1', '20', '20.00%'],
      ['Token 2', '7.5', '7.50%'],
      ['2 other tokens', '2.5', '2.50%'],
    ])
    expect(parts.reduce((sum, { sol }) => sum.add(sol), new Decimal(0)).toFixed()).toBe(worth.netWorth)
    expect(parts.map(({ size }) => size)).toEqual([0.5, 0.2, 0.2, 0.075, 0.025])
  })

  it('leaves out empty parts, but never the balance', () => {
    const poor = {
      ...worth,
      netWorth: '7.5',
      balance: '0',
      ownPools: '0',
      openPools: 0,
      others: '0',
      largest: [token(2, '7.5')],
    }
    expect(computeAllocation(poor).map(({ key, share }) => [key, share])).toEqual([
      ['balance', '0.00%'],
      ['2', '100.00%'],
    ])
    const nothing = { ...poor, netWorth: '0', largest: [] }
    expect(computeAllocation(nothing)).toMatchObject([{ key: 'balance', share: '0.00%', size: 0 }])
  })

  it('counts pools and tokens with the right word forms', () => {
    const names = computeAllocation({ ...worth, openPools: 3, othersCount: 1 }).map(({ name }) => name)
    expect(names).toContain('SOL in your 3 pools')
    expect(names).toContain('1 other token')
  })

  it('distinguishes dust from zero', () => {
    expect(['0', '0.000000001', '1', '33.335', '100'].map((part) => formatShare(part, '100'))).toEqual([
      ...['0.00%', '<0.01%', '1.00%', '33.34%', '100.00%'],
    ])
  })
})
