import { describe, expect, it } from 'vitest'
import { parseChosenToken } from '../../src/lib/format/id-in-address.ts'

describe('the token in the address of the proof', () => {
  it('is parsed from links and from typed addresses', () => {
    expect(parseChosenToken({ token: 12 })).toEqual({ token: 12 })
    expect(parseChosenToken({ token: '12' })).toEqual({ token: 12 })
  })

  it.each(['abc', -1, 1.5, 99_999_999_999, 0, undefined, [1, 2]])(
    'is none for %s, over what is written there',
    (token) => {
      expect(Object.entries(parseChosenToken({ token }))).toEqual([['token', undefined]])
    },
  )
})
