import { parseRecoveryCode } from '@papermoon/contract/factor-code'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatRecoveryCode,
  getSelector,
  newRecoveryCodes,
} from '../../../src/features/account/factors/second-factor.ts'

describe('recovery codes', () => {
  it('are ten, random, and differ in their first two characters', () => {
    const sets = Array.from({ length: 50 }, newRecoveryCodes)
    for (const codes of sets) {
      expect(codes).toHaveLength(10)
      expect(new Set(codes.map(getSelector)).size).toBe(10)
      for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{10}$/)
    }
    expect(new Set(sets.flat()).size).toBe(500)
  })

  it('are read as people type them: with spaces, in capitals, without the hyphen, with look-alike letters', () => {
    const code = '01abc9zz0k'
    expect(formatRecoveryCode(code)).toBe('01abc-9zz0k')
    for (const typed of ['01abc-9zz0k', ' 01ABC 9ZZ0K ', 'oIabc9zzOk', '0 1 a b c 9 z z 0 k', 'olabc-9zzok']) {
      expect(parseRecoveryCode(typed)).toBe(code)
    }
  })

  it('are never six digits, and nothing else is one', () => {
    for (const text of ['', '123456', '01abc-9zz0', '01abc-9zz0kk', '01abu-9zz0k', '01abc_9zz0k', 'é1abc9zz0k']) {
      expect(parseRecoveryCode(text)).toBeNull()
    }
  })

  it('survive being shown and typed again, whatever they are', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9 }), fc.boolean(), (index, isUpper) => {
        const code = newRecoveryCodes()[index] ?? ''
        const shown = formatRecoveryCode(code)
        expect(parseRecoveryCode(isUpper ? shown.toUpperCase() : shown)).toBe(code)
      }),
    )
  })
})
