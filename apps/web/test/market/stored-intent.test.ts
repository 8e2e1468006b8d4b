// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TokenId } from '../../src/lib/api/api.ts'
import { INTENT_KEY, isIntentStored } from '../../src/lib/market/intent-key.ts'
import { forgetIntent, formatExact, type Intent, readIntent, storeIntent } from '../../src/lib/market/stored-intent.ts'
import { blockStorage } from '../support/fresh-page.ts'

const MINUTE_MS = 60_000
const BUY = { kind: 'trade', side: 'buy', tokenId: 7 as TokenId, amount: '1.5' } as const

beforeEach(() => {
  vi.useFakeTimers()
  sessionStorage.clear()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a stored intent', () => {
  it.each<Intent>([
    BUY,
    { ...BUY, side: 'sell', amount: '1000000000.000001' },
    { kind: 'launch', symbol: 'MOON' },
    { kind: 'launch', symbol: '' },
    { kind: 'first-trade' },
  ])('is read as it was kept: %o', (intent) => {
    storeIntent(intent)
    expect(isIntentStored()).toBe(true)
    expect(readIntent()).toEqual(intent)
  })

  it('is replaced by a later one, and can be forgotten', () => {
    storeIntent(BUY)
    storeIntent({ kind: 'launch', symbol: 'MOON' })
    expect(readIntent()).toEqual({ kind: 'launch', symbol: 'MOON' })
    forgetIntent()
    expect(isIntentStored()).toBe(false)
    expect(readIntent()).toBeNull()
  })

  it('lasts for 30 minutes', () => {
    storeIntent(BUY)
    vi.advanceTimersByTime(30 * MINUTE_MS - 1)
    expect(readIntent()).toEqual(BUY)
    vi.advanceTimersByTime(1)
    expect(readIntent()).toBeNull()
  })

  it('is null if the clock was set back', () => {
    storeIntent(BUY)
    vi.setSystemTime(Date.now() - MINUTE_MS)
    expect(readIntent()).toBeNull()
  })

  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an unknown kind', { kind: 'rug', tokenId: 7 }],
    ['no kind', { side: 'buy', tokenId: 7, amount: '1' }],
    ['an unknown side', { ...BUY, side: 'hold' }],
    ['an id that is too large', { ...BUY, tokenId: 2_147_483_648 }],
    ['a path as the id', { ...BUY, tokenId: '../settings' }],
    ['no amount', { ...BUY, amount: undefined }],
    ['a numeric amount', { ...BUY, amount: 1 }],
    ['a negative amount', { ...BUY, amount: '-1' }],
    ['zero as the amount', { ...BUY, amount: '0.000' }],
    ['an exponent', { ...BUY, amount: '1e9' }],
    ['an endless amount', { ...BUY, amount: '1'.repeat(11) }],
    ['too many decimals', { ...BUY, amount: `0.${'1'.repeat(10)}` }],
    ['an endless text', { ...BUY, more: 'x'.repeat(300) }],
  ])('is null for %s', (_, kept) => {
    const text = typeof kept === 'string' ? kept : JSON.stringify({ keptAtMs: Date.now(), ...kept })
    sessionStorage.setItem(INTENT_KEY, text)
    expect(readIntent()).toBeNull()
  })

  it('is null without a time', () => {
    sessionStorage.setItem(INTENT_KEY, JSON.stringify(BUY))
    expect(readIntent()).toBeNull()
  })

  it('keeps a symbol short', () => {
    sessionStorage.setItem(INTENT_KEY, JSON.stringify({ kind: 'launch', symbol: 'M'.repeat(50), keptAtMs: Date.now() }))
    expect(readIntent()).toEqual({ kind: 'launch', symbol: 'M'.repeat(10) })
  })

  it('is never stored if storage is blocked', () => {
    blockStorage('sessionStorage')
    expect(() => storeIntent(BUY)).not.toThrow()
    expect(() => forgetIntent()).not.toThrow()
    expect(isIntentStored()).toBe(false)
    expect(readIntent()).toBeNull()
  })
})

it.each([
  ['1', '1'],
  ['0.505', '0.505'],
  ['1234.50', '1,234.5'],
  ['1000000000.000001', '1,000,000,000.000001'],
])('an amount of %s reads %s', (amount, text) => {
  expect(formatExact(amount)).toBe(text)
})
