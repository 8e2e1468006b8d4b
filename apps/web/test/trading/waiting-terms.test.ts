import { Decimal } from '@papermoon/amm'
import type { TokenId } from '@papermoon/contract/ids'
import { LASTS_MS } from '@papermoon/contract/waiting-orders'
import { describe, expect, it } from 'vitest'
import {
  type Draft,
  findDistance,
  fromOrderPrice,
  moveOrder,
  toBegin,
  toDuration,
  toOrderPrice,
  toPercentUnder,
  toTerms,
  toTyped,
} from '../../src/features/trading/waiting/waiting-terms.ts'
import type { WaitingOrder } from '../../src/lib/api/api.ts'

const NOW = '0.00000004'
const token = { id: 7 as TokenId }
const draft: Draft = {
  mode: 'limit',
  side: 'buy',
  amount: '2',
  price: new Decimal(NOW),
  isAny: false,
  target: null,
  duration: 'month',
  changed: null,
}
const aStop = { left: '5', price: null, stopPrice: '0.00000003', leastPrice: '0.000000027' } as WaitingOrder

describe('toOrderPrice', () => {
  it.each([
    ['0.00000002', 'price', '0.00000002'],
    ['20', 'cap', '0.00000002'],
    ['-50', 'percent', '0.00000002'],
    ['100', 'percent', '0.00000008'],
  ] as const)('reads %s as %s', (text, unit, price) => {
    const read = toOrderPrice(text, unit, NOW)
    expect(read?.toFixed()).toBe(price)
    expect(read && fromOrderPrice(read, unit, NOW)).toBe(text)
  })

  it.each([
    ['', 'price'],
    ['-', 'percent'],
    ['.', 'price'],
    ['0', 'price'],
    ['-100', 'percent'],
    ['-250', 'percent'],
  ] as const)('has no price for %j as %s', (text, unit) => {
    expect(toOrderPrice(text, unit, NOW)).toBeNull()
  })
})

describe('toTerms', () => {
  it('contains what each kind requires', () => {
    const target = new Decimal('0.00000009')
    expect(toTerms(token, draft)).toEqual({ tokenId: 7, lasts: 'month', kind: 'buy', solAmount: '2', price: NOW })
    expect(toTerms(token, { ...draft, side: 'sell' })).toEqual({
      tokenId: 7,
      lasts: 'month',
      kind: 'sale',
      tokenAmount: '2',
      price: NOW,
    })
    const stop = { ...draft, mode: 'stop', side: 'sell' } as const
    expect(toTerms(token, stop)).toEqual({
      tokenId: 7,
      lasts: 'month',
      kind: 'stop',
      tokenAmount: '2',
      stopPrice: NOW,
      leastPrice: '0.000000036',
    })
    expect(toTerms(token, { ...stop, isAny: true, target })).toEqual({
      tokenId: 7,
      lasts: 'month',
      kind: 'bracket',
      tokenAmount: '2',
      stopPrice: NOW,
      leastPrice: 'any',
      price: '0.00000009',
    })
  })

  it('contains the order to be replaced, and is null while an amount or a price is missing', () => {
    expect(toTerms(token, { ...draft, changed: { ...aStop, id: 31, fills: 2 } })).toMatchObject({
      replaces: 31,
      replacesFills: 2,
    })
    for (const missing of [{ amount: '' }, { amount: '0' }, { price: null }]) {
      expect(toTerms(token, { ...draft, ...missing })).toBeNull()
    }
  })
})

describe('a changed stop', () => {
  it('keeps the share of its price that the player chose as the minimum', () => {
    const changed = { ...aStop, stopPrice: '0.00000003', leastPrice: '0.000000024' }
    const stop = { ...draft, mode: 'stop', side: 'sell', changed } as const
    expect(toTerms(token, { ...stop, price: new Decimal('0.00000003') })).toMatchObject({ leastPrice: '0.000000024' })
    expect(toTerms(token, { ...stop, price: new Decimal('0.00000002') })).toMatchObject({ leastPrice: '0.000000016' })
    expect([toPercentUnder(changed), toPercentUnder(null)]).toEqual(['20', '10'])
  })
})

describe('moveOrder', () => {
  it('starts where its line was dropped', () => {
    const buy = { kind: 'buy', price: NOW, stopPrice: null } as WaitingOrder
    const at = '0.00000003'
    const moved = new Decimal(moveOrder(buy, { trigger: 'below', price: at }).price ?? 0)
    expect(
      toBegin({ ...draft, price: moved })
        ?.div(at)
        .sub(1)
        .abs()
        .lte('1e-4'),
    ).toBe(true)
    const sale = new Decimal(moveOrder({ ...buy, kind: 'sale' }, { trigger: 'above', price: at }).price ?? 0)
    expect(
      toBegin({ ...draft, side: 'sell', price: sale })
        ?.div(at)
        .sub(1)
        .abs()
        .lte('1e-4'),
    ).toBe(true)
    expect(moveOrder({ ...aStop, kind: 'bracket' }, { trigger: 'below', price: '0.00000001' })).toMatchObject({
      stopPrice: '0.00000001',
      price: null,
    })
  })
})

describe('toDuration', () => {
  it('is the duration of the order to be replaced, and the longest for a new order', () => {
    expect(toDuration(null)).toBe('month')
    const placedAt = '2026-03-01T12:00:00.000Z'
    for (const [duration, ms] of Object.entries(LASTS_MS)) {
      const expiresAt = new Date(Date.parse(placedAt) + ms).toISOString()
      expect(toDuration({ ...aStop, placedAt, expiresAt })).toBe(duration)
    }
  })
})

describe('toTyped', () => {
  it('returns the order’s own figures, so that a change starts with them', () => {
    expect(toTyped(null)).toEqual({ amount: '', price: '', target: '', isAny: false })
    expect(toTyped(aStop)).toEqual({ amount: '5', price: '0.00000003', target: '', isAny: false })
    expect(toTyped({ ...aStop, price: NOW, leastPrice: null })).toEqual({
      amount: '5',
      price: '0.00000003',
      target: NOW,
      isAny: true,
    })
    expect(toTyped({ ...aStop, price: NOW, stopPrice: null, leastPrice: null })).toMatchObject({
      price: NOW,
      isAny: false,
    })
  })
})

describe('toBegin', () => {
  it('is inside the limit by the fee, or the stop’s own price', () => {
    expect(toBegin(draft)?.toFixed()).toBe('0.00000003988')
    expect(toBegin({ ...draft, side: 'sell' })?.gt(NOW)).toBe(true)
    expect(toBegin({ ...draft, mode: 'stop', side: 'sell' })?.toFixed()).toBe(NOW)
  })
})

describe('findDistance', () => {
  it('is the distance to the nearer price', () => {
    const both = { below: '0.00000003', above: '0.000000042' } as WaitingOrder
    expect(findDistance(both, NOW)).toEqual({ price: '0.000000042', percent: '5' })
    expect(findDistance({ ...both, above: null }, NOW)).toEqual({ price: '0.00000003', percent: '-25' })
    expect(findDistance({ ...both, above: null, below: null }, NOW)).toBeNull()
  })
})
