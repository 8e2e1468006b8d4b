import { parseRecoveryCode } from '@papermoon/contract/factor-code'
import fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import {
  describeTotp,
  findTotpStep,
  formatRecoveryCode,
  getSelector,
  newRecoveryCodes,
  newTotpSecret,
} from '../../../src/features/account/factors/second-factor.ts'

/** The secret and codes of RFC 6238, appendix B, cut to six digits. */
const RFC_SECRET = Buffer.from('12345678901234567890')
const RFC_CODES = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

describe('findTotpStep', () => {
  it.each(RFC_CODES)('accepts the code of RFC 6238 at %d s', (second, code) => {
    expect(findTotpStep(RFC_SECRET, code, new Date(second * 1_000))).toBe(Math.floor(second / 30))
  })

  it('accepts codes of the previous, current and next step only, and returns the step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 100_000_000 }), fc.integer({ min: -5, max: 5 }), (step, off) => {
        const secret = newTotpSecret()
        const code = toCode(secret, step + off)
        const found = findTotpStep(secret, code, new Date(step * 30_000 + 7_000))
        // By chance, the code of a distant step can equal that of a near step.
        const near = [-1, 0, 1].map((delta) => step + delta).filter((candidate) => toCode(secret, candidate) === code)
        expect(near.length === 0 ? null : near).toEqual(found === null ? null : expect.arrayContaining([found]))
        if (Math.abs(off) <= 1) expect(found).not.toBeNull()
      }),
    )
  })

  it.each(['', '12345', '1234567', 'abcdef', '      '])('rejects %j', (code) => {
    expect(findTotpStep(RFC_SECRET, code, new Date(59_000))).toBeNull()
  })
})

describe('describeTotp', () => {
  it('returns the setup data for an app, with any username', () => {
    const secret = newTotpSecret()
    for (const username of ['luna', 'a:b', 'Mondgesicht & Söhne', '月', '%2F?secret=AAAA']) {
      const { uri, secret: base32 } = describeTotp(secret, username)
      const url = new URL(uri)
      expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
      expect(url.searchParams.get('secret')).toBe(base32)
      expect(url.searchParams.get('issuer')).toBe('Papermoon')
      expect(decodeURIComponent(url.pathname)).toBe(`/Papermoon:${username.replaceAll(':', ' ')}`)
      expect(Secret.fromBase32(base32).bytes).toEqual(new Uint8Array(secret))
    }
  })

  it('makes secrets of 160 random bits', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret)
    expect(secrets.every(({ length }) => length === 20)).toBe(true)
    expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(50)
  })
})

function toCode(secret: Buffer, step: number): string {
  const totp = new TOTP({ secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })
  return totp.generate({ timestamp: step * 30_000 })
}

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

  it('never look like the six digits of an app', () => {
    for (const text of ['', '123456', '01abc-9zz0', '01abc-9zz0kk', '01abu-9zz0k', '01abc_9zz0k', 'é1abc9zz0k']) {
      expect(parseRecoveryCode(text)).toBeNull()
    }
  })

  it('are still valid after someone reads and types them', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9 }), fc.boolean(), (index, isUpper) => {
        const code = newRecoveryCodes()[index] ?? ''
        const shown = formatRecoveryCode(code)
        expect(parseRecoveryCode(isUpper ? shown.toUpperCase() : shown)).toBe(code)
      }),
    )
  })
})
