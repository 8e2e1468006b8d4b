import { describe, expect, it } from 'vitest'
import { usernameKey } from '../../src/features/account/username-key.ts'

describe('usernameKey', () => {
  it.each([
    ['Ann', 'ANN', 'another case'],
    ['paul', 'pаul', 'a Cyrillic a'],
    ['moon', 'm00n', 'zeros for letters'],
    ['moon', 'mοοn', 'Greek letters'],
    ['Bill', 'B1ll', 'a one for an l'],
    ['Bill', 'BiIl', 'a capital I for an l'],
    ['HELP', 'НЕLР', 'Cyrillic capitals'],
    ['zoe', 'Zoé', 'an accent'],
    ['moon', 'ｍｏｏｎ', 'full-width letters'],
    ['moon', '𝗺𝗼𝗼𝗻', 'mathematical letters'],
    ['modern', 'modem', 'rn for m'],
    ['a-b', 'a–b', 'another dash'],
    ['میخواهم', 'می\u200cخواهم', 'a non-joiner'],
    ['👨👩👧', '👨\u200d👩\u200d👧', 'joiners'],
    ['שלום', 'שלום\u200f', 'a right-to-left mark'],
    ['☀', '☀\ufe0f', 'a variation selector'],
  ])('takes %s and %s for the same: %s', (one, other) => {
    expect(usernameKey(one)).toBe(usernameKey(other))
  })

  it.each([
    ['ann', 'anna'],
    ['paper moon', 'papermoon'],
    ['moon2', 'moon3'],
    ['луна', 'луни'],
    ['कि', 'की'],
    ['月', '日'],
  ])('distinguishes %s and %s', (one, other) => {
    expect(usernameKey(one)).not.toBe(usernameKey(other))
  })
})
