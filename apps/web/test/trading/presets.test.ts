// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { addPreset, OWN_MAX, storedPresets, storePresets } from '../../src/features/trading/order/presets.ts'
import { isOffered } from '../../src/features/trading/order/preview-trade.ts'

const KEY = 'papermoon-presets'

beforeEach(() => localStorage.clear())

describe('a player’s own amounts', () => {
  it('are none by default, and are stored for the next visit', () => {
    expect(storedPresets()).toEqual({ buy: [], sell: [] })
    storePresets({ buy: ['0.5', '25'], sell: ['10'] })
    expect(storedPresets()).toEqual({ buy: ['0.5', '25'], sell: ['10'] })
  })

  it('leave nothing in storage once they equal the defaults', () => {
    storePresets({ buy: ['0.5'], sell: [] })
    storePresets({ buy: [], sell: [] })
    expect(localStorage.getItem(KEY)).toBeNull()
  })

  it('are sorted, without superfluous zeros or duplicates', () => {
    expect(addPreset(['25'], 'buy', '0.50')).toEqual(['0.5', '25'])
    expect(addPreset(['0.5'], 'buy', '0.500')).toBe('known')
    expect(addPreset([], 'buy', '5.0')).toBe('known')
    expect(addPreset([], 'sell', '100')).toBe('known')
  })

  it.each([
    ['buy', ''],
    ['buy', '0'],
    ['buy', '-1'],
    ['buy', '1e3'],
    ['buy', '1000001'],
    ['buy', '0.0000000001'],
    ['sell', '101'],
    ['sell', '0.001'],
  ] as const)('of a %s are not %j', (side, text) => {
    expect(addPreset([], side, text)).toBe('invalid')
  })

  it('are limited in number', () => {
    const own = ['2', '3', '4', '6']
    expect(own).toHaveLength(OWN_MAX)
    expect(addPreset(own, 'buy', '7')).toBe('full')
  })

  it('are read without invalid values', () => {
    localStorage.setItem(KEY, JSON.stringify({ buy: ['9', null, 'x', '9', '1', '0.1'], sell: 'all' }))
    expect(storedPresets()).toEqual({ buy: ['0.1', '9'], sell: [] })
    localStorage.setItem(KEY, '{"buy":')
    expect(storedPresets()).toEqual({ buy: [], sell: [] })
    localStorage.setItem(KEY, 'null')
    expect(storedPresets()).toEqual({ buy: [], sell: [] })
  })
})

describe('an amount that everyone is offered', () => {
  it('is 1, 5 or 10 SOL, however it was filled in', () => {
    expect(isOffered('buy', '10', '100')).toBe(true)
    expect(isOffered('buy', '10.000000000', null)).toBe(true)
    expect(isOffered('buy', '10.000000001', '100')).toBe(false)
  })
  it('is exactly a quarter, a half, three quarters or all of a holding', () => {
    expect(isOffered('sell', '0.000001', '0.000003')).toBe(true)
    expect(isOffered('sell', '152278164.522878', '152278164.522878')).toBe(true)
    expect(isOffered('sell', '152278164.522877', '152278164.522878')).toBe(false)
    expect(isOffered('sell', '5', null)).toBe(false)
  })
})
