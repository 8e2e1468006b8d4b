import { describe, expect, it } from 'vitest'
import { registration, shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer()

let count = 0
const register = (username: string) =>
  server.visitor().post('/api/auth/register', { ...registration(`named-${++count}`), username })

describe('the name of a new account', () => {
  it.each([
    ...['admin', 'Admin', 'ADM1N', 'a.d.m.i.n', 'аdmin', 'administrator', 'moderator', 'Support', 'system'],
    ...[
      'papermoon',
      'Paper Moon',
      'paperm00n',
      'Papermoon Official',
      'Official Support',
      'The House',
      'treasury',
      'staff',
    ],
    ...['deleted player', 'pɑpermoon'],
  ])('is reserved where it speaks for the house: %s', async (username) => {
    const answer = await register(username)
    expect([answer.statusCode, answer.body]).toEqual([
      409,
      'This username, or one that looks like it, is already taken.',
    ])
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
  ])('is refused where it mixes alphabets or borrows letters: %s (%s)', async (username) => {
    const answer = await register(username)
    expect([answer.statusCode, answer.body]).toEqual([400, 'username must be written in the letters of one alphabet.'])
  })

  it.each([
    ...['Luna', 'José Ñandú', 'Łukasz', 'Zoë 🚀', '🌙🌙', 'moon_42!', 'Əli', "O'Neil", 'Straße'],
    ...['Луна', 'Σελήνη', '月光', 'ルナmoon', 'つき月', '달moon', 'चाँद', 'قمر', 'ירח', 'ดวงจันทร์'],
    ...['administrator of moons', 'housewife', 'supporter', 'paper moons', 'modern'],
  ])('is free: %s', async (username) => {
    const answer = await register(username)
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
  })

  it('of an existing account stays valid', async () => {
    await server.player('veteran')
    await server.db.updateTable('users').set({ username: 'аdmin' }).where('username', '=', 'veteran').execute()
    const { email, password } = registration('veteran')
    expect((await server.visitor().post('/api/auth/login', { email, password })).statusCode).toBe(200)
  })

  it('of a token stays free', async () => {
    const player = await server.player()
    expect(await player.launch({ name: 'Papermoon ꓡꓵ', symbol: 'ADMIN' })).toBeGreaterThan(0)
  })
})
