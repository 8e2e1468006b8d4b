import { describe, expect, it } from 'vitest'
import { webAddress } from '../../src/features/tokens/token-about.tsx'
import { tokenIdOf } from '../../src/features/tokens/token-id.ts'

describe('the id in an address', () => {
  it('is a whole number that the database can hold', () => {
    expect(tokenIdOf('7')).toBe(7)
    expect(tokenIdOf('2147483647')).toBe(2_147_483_647)
  })
  it.each(['', '0', '-1', '1.5', '1e3', '0x1', '007', 'abc', '2147483648', '99999999999', ' 1'])(
    'is none when it reads %j',
    (text) => {
      expect(tokenIdOf(text)).toBeNull()
    },
  )
})

describe('a creator’s link', () => {
  it('leads to the web', () => {
    expect(webAddress('https://x.com/moon')).toBe('https://x.com/moon')
    expect(webAddress('http://example.com')).toBe('http://example.com/')
  })
  it.each([null, '', 'x.com/moon', 'javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,hi', 'ftp://a.b'])(
    'is not drawn when it is %j',
    (text) => {
      expect(webAddress(text)).toBeNull()
    },
  )
})
