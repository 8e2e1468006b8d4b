import { describe, expect, it } from 'vitest'
import { assertNewUsername } from '../../src/features/account/username-key.ts'

describe('the name of a new account', () => {
  it.each([
    ...['admin', 'Admin', 'ADM1N', 'a.d.m.i.n', 'аdmin', 'administrator', 'moderator', 'Support', 'system'],
    ...['papermoon', 'Paper Moon', 'paperm00n', 'Papermoon Official', 'Official Support', 'The House', 'treasury'],
    ...['staff', 'deleted player', 'pɑpermoon'],
  ])('is reserved where it speaks for the house: %s', (username) => {
    expect(() => assertNewUsername(username)).toThrow('This username, or one that looks like it, is already taken.')
  })

  it.each([
    ['ꓡꓵꓠꓮ', 'Lisu'],
    ['ᎪᏞᎬХ', 'Cherokee and Cyrillic'],
    ['ᏞᎬᎬ', 'Cherokee'],
    ['ʟᴜɴᴀ', 'small capitals'],
    ['lunа', 'Latin and Cyrillic'],
    ['αlpha', 'Greek and Latin'],
    ['луnа', 'Cyrillic and Latin'],
    ['ⲙⲟⲟⲛ', 'Coptic'],
  ])('is refused where it mixes alphabets or borrows letters: %s (%s)', (username) => {
    expect(() => assertNewUsername(username)).toThrow('username must use the letters of one alphabet.')
  })

  it.each([
    ...['Luna', 'José Ñandú', 'Łukasz', 'Zoë 🚀', '🌙🌙', 'moon_42!', 'Əli', "O'Neil", 'Straße'],
    ...['Луна', 'Σελήνη', '月光', 'ルナmoon', 'つき月', '달moon', 'चाँद', 'قمر', 'ירח', 'ดวงจันทร์'],
    ...['administrator of moons', 'housewife', 'supporter', 'paper moons', 'modern'],
  ])('is free: %s', (username) => {
    expect(() => assertNewUsername(username)).not.toThrow()
  })
})
