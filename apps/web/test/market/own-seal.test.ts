import { describe, expect, it } from 'vitest'
import { freeAmount, longerTerms } from '../../src/lib/market/own-seal.ts'

const FOREVER = '9999-12-31T23:59:59.999Z'
const NOW = Date.parse('2026-03-02T12:00:00.000Z')
const toTerms = (...args: Parameters<typeof longerTerms>) => longerTerms(...args).map(({ value }) => value)

const sealed = (tokens: string) => ({ tokens, until: FOREVER })

describe('what a seal leaves to sell', () => {
  it('is all of a bag that is not sealed', () => {
    expect(freeAmount('2.5', null)).toBe('2.5')
  })

  it('is what was bought since, to the last digit', () => {
    expect(freeAmount('152278164.522878', sealed('152278164.522877'))).toBe('0.000001')
  })

  it('is nothing while less is shown as held than is sealed', () => {
    expect(freeAmount('1', sealed('2.5'))).toBe('0')
  })
})

describe('the terms that a seal is offered', () => {
  it('are all where nothing is sealed, and where the seal has ended', () => {
    const ended = { liquidityUntil: '2026-03-02T12:00:00.000Z', bagUntil: null, bagTokens: '0' }
    for (const seal of [null, ended]) expect(toTerms(seal, '5', NOW)).toEqual(['hour', 'day', 'week', 'ever'])
  })

  it('are those that make it longer', () => {
    const seal = { liquidityUntil: '2026-03-03T11:00:00.000Z', bagUntil: null, bagTokens: '0' }
    expect(toTerms(seal, '5', NOW)).toEqual(['day', 'week', 'ever'])
  })

  it('are those that make it longer by a tenth, unless there are tokens to seal, too', () => {
    const until = '2026-03-03T11:00:00.000Z'
    const seal = { liquidityUntil: until, bagUntil: until, bagTokens: '5' }
    expect(toTerms(seal, '5', NOW)).toEqual(['week', 'ever'])
    expect(toTerms(seal, '6', NOW)).toEqual(['day', 'week', 'ever'])
  })

  it('are none for ever, but for a bag that is not sealed whole', () => {
    const seal = { liquidityUntil: FOREVER, bagUntil: FOREVER, bagTokens: '5' }
    expect(toTerms(seal, '5', NOW)).toEqual([])
    expect(toTerms(seal, '5.000001', NOW)).toEqual(['ever'])
    expect(toTerms({ ...seal, bagUntil: null, bagTokens: '0' }, '0', NOW)).toEqual([])
  })
})
