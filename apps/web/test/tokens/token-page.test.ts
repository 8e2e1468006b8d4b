import { describe, expect, it } from 'vitest'
import { toLinks, webAddress } from '../../src/features/tokens/header/token-about.tsx'
import { parseTokenId } from '../../src/lib/format/id-in-address.ts'

describe('the id in a URL', () => {
  it('is a whole number that the database can store', () => {
    expect(parseTokenId('7')).toBe(7)
    expect(parseTokenId('2147483647')).toBe(2_147_483_647)
  })
  it.each(['', '0', '-1', '1.5', '1e3', '0x1', '007', 'abc', '2147483648', '99999999999', ' 1'])(
    'is null if it is %j',
    (text) => {
      expect(parseTokenId(text)).toBeNull()
    },
  )
})

describe('a creator’s link', () => {
  it('links to the web', () => {
    expect(webAddress('https://x.com/moon')).toBe('https://x.com/moon')
    expect(webAddress('http://example.com')).toBe('http://example.com/')
  })
  it.each([null, '', 'x.com/moon', 'javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,hi', 'ftp://a.b'])(
    'is not shown if it is %j',
    (text) => {
      expect(webAddress(text)).toBeNull()
    },
  )
})

describe('the links beside a token', () => {
  const links = (part: object) =>
    toLinks({ website: null, x: null, telegram: null, ...part }).map(({ label, href }) => [label, href])

  it('have the names of their sites', () => {
    expect(
      links({ website: 'https://moon.example', x: 'https://www.twitter.com/moon', telegram: 'https://moon.t.me' }),
    ).toEqual([
      ['Website', 'https://moon.example/'],
      ['X', 'https://www.twitter.com/moon'],
      ['Telegram', 'https://moon.t.me/'],
    ])
  })

  it('show their own host if they lead elsewhere', () => {
    expect(links({ x: 'https://x.com.evil.example/a', telegram: 'https://evil.example:8443/t.me' })).toEqual([
      ['x.com.evil.example', 'https://x.com.evil.example/a'],
      ['evil.example:8443', 'https://evil.example:8443/t.me'],
    ])
  })
})
