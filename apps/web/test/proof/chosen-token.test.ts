import { describe, expect, it } from 'vitest'
import { parseTokenId } from '../../src/lib/format/id-in-address.ts'

describe('the token in the URL of the proof', () => {
  it('is parsed from links and from typed URLs', () => {
    expect(parseTokenId(String(12))).toBe(12)
    expect(parseTokenId('12')).toBe(12)
  })

  it.each(['abc', -1, 1.5, 99_999_999_999, 0, undefined, [1, 2]])(
    'is null for %s, and the text stays in the field',
    (token) => {
      expect(parseTokenId(String(token))).toBeNull()
    },
  )
})
