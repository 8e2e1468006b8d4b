import { describe, expect, it } from 'vitest'
import { freeAmount, longerTerms } from '../../src/lib/market/own-seal.ts'

const FOREVER = '9999-12-31T23:59:59.999Z'
const NOW = Date.parse('2026-03-02T12:00:00.000Z')
const toTerms = (...args: Parameters<typeof longerTerms>) => longerTerms(...args).map(({ value }) => value)

const sealed = (tokens: string) => ({ tokens, until: FOREVER })

describe('the amount that can be sold despite a seal', () => {
  it('is the whole holding if it is not sealed', () => {
    expect(freeAmount('2.5', null)).toBe('2.5')
  })

  it('is exactly what was bought since the seal', () => {
    expect(freeAmount('152278164.522878', sealed('152278164.522877'))).toBe('0.000001')
  })

  it('is nothing while the shown holding is smaller than the sealed amount', () => {
    expect(freeAmount('1', sealed('2.5'))).toBe('0')
  })
})

describe('the terms offered for a seal', () => {
  it('are all terms if nothing is sealed, or if the seal has ended', () => {
    const ended = { liquidityUntil: '2026-03-02T12:00:00.000Z', bagUntil: null, bagTokens: '0' }
    for (const seal of [null, ended]) expect(toTerms(seal, '5', NOW)).toEqual(['hour', 'day', 'week', 'ever'])
  })

  it('are the terms that extend the seal', () => {
    const seal = { liquidityUntil: '2026-03-03T11:00:00.000Z', bagUntil: null, bagTokens: '0' }
    expect(toTerms(seal, '5', NOW)).toEqual(['day', 'week', 'ever'])
  })

  it('are the terms that extend it by a tenth, unless there are tokens to seal too', () => {
    const until = '2026-03-03T11:00:00.000Z'
    const seal = { liquidityUntil: until, bagUntil: until, bagTokens: '5' }
    expect(toTerms(seal, '5', NOW)).toEqual(['week', 'ever'])
    expect(toTerms(seal, '6', NOW)).toEqual(['day', 'week', 'ever'])
  })

  it('are none if it is sealed for ever, unless the holding is not fully sealed', () => {
    const seal = { liquidityUntil: FOREVER, bagUntil: FOREVER, bagTokens: '5' }
    expect(toTerms(seal, '5', NOW)).toEqual([])
    expect(toTerms(seal, '5.000001', NOW)).toEqual(['ever'])
    expect(toTerms({ ...seal, bagUntil: null, bagTokens: '0' }, '0', NOW)).toEqual([])
  })
})
