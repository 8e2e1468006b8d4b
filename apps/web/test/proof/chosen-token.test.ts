import { describe, expect, it } from 'vitest'
import { parseTokenId } from '../../src/lib/format/id-in-address.ts'

describe('the token in the address of the proof', () => {
  it('is parsed from links and from typed addresses', () => {
    expect(parseTokenId(String(12))).toBe(12)
    expect(parseTokenId('12')).toBe(12)
  })

  it.each(['abc', -1, 1.5, 99_999_999_999, 0, undefined, [1, 2]])(
    'is none for %s, over what is written there',
    (token) => {
      expect(parseTokenId(String(token))).toBeNull()
    },
  )
})
