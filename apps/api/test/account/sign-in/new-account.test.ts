import { newEmailField } from '@papermoon/contract/account-fields'
import { describe, expect, it } from 'vitest'
import { assertNewUsername, usernameKey } from '../../../src/features/account/username-key.ts'

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

describe('the email of a new account', () => {
  it.each([
    ...['<x@evil.org', 'x>@evil.org', 'a,b@evil.org', 'a;b@evil.org', '"a b"@evil.org', 'a:b@evil.org', '(a)@evil.org'],
    ...['a@evil.org>', 'a@[127.0.0.1]', 'a@-evil.org', 'a@evil..org', 'a@evil_org', 'a@b@evil.org', 'evil.org'],
  ])('is refused where it is none: %s', (email) => {
    expect(newEmailField.safeParse(email).error?.issues[0]?.message).toBe('must be an email address')
  })

  it.each([
    ...['luna@example.org', 'luna.moon+play@mail.example.org', "o'neil@example.org", 'luna@localhost'],
    ...['łuna@księżyc.example', '用户@例子.广告'],
  ])('is taken: %s', (email) => {
    expect(newEmailField.parse(email)).toBe(email)
  })
})
