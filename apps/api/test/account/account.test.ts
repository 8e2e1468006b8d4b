import { describe, expect, it } from 'vitest'
import { openSocket, registration, shareTestServer, type Visitor } from '../support/test-server.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const server = await shareTestServer({ env: { SHOW_RESET_CODES: 'on' } })
const port = await server.listen()

const isSignedIn = async (visitor: Visitor) => (await visitor.get('/api/auth/user')).statusCode === 200
const remove = (visitor: Visitor, url: string) => visitor.raw('DELETE', url, '')
const listSessions = async (visitor: Visitor) => (await visitor.get('/api/account/sessions')).json()
const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0' }

async function login(username: string, headers = {}, password = 'secret-1'): Promise<Visitor> {
  const visitor = server.visitor()
  const { email } = registration(username)
  const answer = await visitor.post('/api/auth/login', { email, password }, headers)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return visitor
}

const listEventKinds = async (visitor: Visitor): Promise<string[]> => {
  const events = (await visitor.get('/api/account/events')).json()
  return events.map(({ kind }: { kind: string }) => kind)
}

describe('security.changePassword', () => {
  const change = (visitor: Visitor, more: Record<string, unknown> = {}) =>
    visitor.post('/api/account/password', { password: 'secret-1', newPassword: 'a paper moon', ...more })

  it('sets the password, ends all other sessions and keeps this session', async () => {
    const player = await server.player('changer')
    const other = await login('changer')
    const answer = await change(player)
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true, sessionsEnded: 1, keysRevoked: 0 }])
    expect([await isSignedIn(player), await isSignedIn(other)]).toEqual([true, false])
    await expect(login('changer')).rejects.toThrow('Invalid credentials.')
    expect(await isSignedIn(await login('changer', {}, 'a paper moon'))).toBe(true)
    expect(await listEventKinds(player)).toContain('password_changed')
  })

  it('fails without the current password, and changes nothing', async () => {
    const player = await server.player('stranger-here')
    const other = await login('stranger-here')
    const answer = await change(player, { password: 'wrong-1' })
    expect([answer.statusCode, answer.body]).toEqual([403, 'This password is wrong.'])
    expect([await isSignedIn(player), await isSignedIn(other)]).toEqual([true, true])
    expect(await isSignedIn(await login('stranger-here'))).toBe(true)
  })

  it('rejects a password that is easy to guess', async () => {
    const player = await server.player('guessable')
    expect((await change(player, { newPassword: 'guessable' })).statusCode).toBe(400)
    expect(await isSignedIn(await login('guessable'))).toBe(true)
  })

  it('invalidates reset codes that were requested before', async () => {
    const player = await server.player('coded')
    const { email } = registration('coded')
    const thief = server.visitor()
    const { resetToken } = (await thief.post('/api/auth/forgot-password', { email })).json()
    await change(player)
    const reset = await thief.post('/api/auth/reset-password', { token: resetToken, newPassword: 'taken-over-1' })
    expect(reset.statusCode).toBe(400)
  })

  it('succeeds once if two sessions call it at the same time', async () => {
    const player = await server.player('twice')
    const other = await login('twice')
    const answers = await Promise.all([change(player), change(other, { newPassword: 'another moon' })])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, expect.toBeOneOf([401, 403])])
    const signedIn = await Promise.all([isSignedIn(player), isSignedIn(other)])
    expect(signedIn.sort()).toEqual([false, true])
  })
})

describe('security.changeWallet', () => {
  it('sets the wallet with the password, and fails without it', async () => {
    const player = await server.player('rewarded')
    const change = (password: string) => player.put('/api/account/wallet', { password, wallet: ' New1 ' })
    const readWallet = async () => (await player.get('/api/auth/user')).json().wallet
    const before = await readWallet()
    expect([(await change('wrong-1')).statusCode, await readWallet()]).toEqual([403, before])
    expect([(await change('secret-1')).statusCode, await readWallet()]).toEqual([200, 'New1'])
    expect(await listEventKinds(player)).toContain('wallet_changed')
  })
})

describe('the sessions of a player', () => {
  it('are listed with browser, address and times, the current session first, and without tokens', async () => {
    const player = await server.player('lister')
    server.passTime(MINUTE_MS)
    const firefox = await login('lister', FIREFOX)
    const list = await listSessions(player)
    expect(list).toHaveLength(2)
    expect(list[0]).toMatchObject({ isThis: true, address: '127.0.0.1' })
    expect(list[1]).toMatchObject({ isThis: false, browser: 'Firefox 144 on Linux', address: '127.0.0.1' })
    expect(Date.parse(list[1].createdAt) - Date.parse(list[0].createdAt)).toBeGreaterThanOrEqual(MINUTE_MS)
    const rows = await server.db.selectFrom('sessions').select('token_hash').execute()
    const text = JSON.stringify(list)
    for (const { token_hash } of rows) expect(text).not.toContain(token_hash.toString('hex'))
    expect(text).not.toContain(firefox.cookie?.split('=')[1])
  })

  it('show when and from where they were last used, accurate to a few minutes', async () => {
    const player = await server.player('wanderer')
    const other = await login('wanderer')
    server.passTime(DAY_MS)
    await other.get('/api/auth/user', FIREFOX)
    const [, listed] = await listSessions(player)
    expect(listed.browser).toBe('Firefox 144 on Linux')
    expect(server.app.platform.clock.now().getTime() - Date.parse(listed.lastUsedAt)).toBeLessThan(5 * MINUTE_MS)
    expect(Date.parse(listed.expiresAt) - Date.parse(listed.lastUsedAt)).toBe(30 * DAY_MS)
  })

  it('cannot be seen or ended by other players', async () => {
    const player = await server.player('private')
    const [{ id }] = await listSessions(player)
    const stranger = await server.player('nosy')
    expect(await listSessions(stranger)).toHaveLength(1)
    expect((await remove(stranger, `/api/account/sessions/${id}`)).statusCode).toBe(404)
    expect(await isSignedIn(player)).toBe(true)
  })

  it('can be ended one by one, and the sockets of other sessions stay open', async () => {
    const player = await server.player('ender')
    const other = await login('ender')
    const mine = await openSocket(`ws://127.0.0.1:${port}/ws`, { cookie: player.cookie ?? '' })
    const [, { id }] = await listSessions(player)
    expect((await remove(player, `/api/account/sessions/${id}`)).statusCode).toBe(200)
    expect([await isSignedIn(other), await isSignedIn(player), mine.socket.readyState]).toEqual([false, true, 1])
    expect(await listEventKinds(player)).toContain('session_ended')
    mine.socket.close()
  })

  it('can end themselves, which also clears the cookie', async () => {
    const player = await server.player('self-ender')
    const [{ id }] = await listSessions(player)
    await remove(player, `/api/account/sessions/${id}`)
    expect([player.cookie, await isSignedIn(player)]).toEqual([undefined, false])
  })

  it('cannot end other sessions after they were ended, even while a node still caches them', async () => {
    const player = await server.player('thief-victim')
    const thief = await login('thief-victim')
    expect(await isSignedIn(thief)).toBe(true)
    // Deletes the session in the database, as another node would, so this node still caches it.
    const [, { id }] = await listSessions(player)
    await server.db.deleteFrom('sessions').where('id', '=', id).execute()
    expect((await remove(thief, '/api/account/sessions')).statusCode).toBe(401)
    expect(await isSignedIn(player)).toBe(true)
  })
})

describe('without a mail server', () => {
  const put = (visitor: Visitor, body: unknown) => visitor.put('/api/account/email', body)

  it('a new email address applies at once, with the password', async () => {
    const player = await server.player('mover')
    expect((await put(player, { password: 'wrong-1', email: 'Mover@New.example' })).statusCode).toBe(403)
    const answer = await put(player, { password: 'secret-1', email: 'Mover@New.example' })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { email: 'Mover@New.example', isVerified: false, canVerify: false, pending: null },
    ])
    const visitor = server.visitor()
    const login = await visitor.post('/api/auth/login', { email: 'mover@new.EXAMPLE', password: 'secret-1' })
    expect(login.statusCode).toBe(200)
    expect(await listEventKinds(player)).toContain('email_changed')
    expect((await put(player, { password: 'secret-1', email: 'mover@new.example' })).json().email).toBe(
      'mover@new.example',
    )
  })

  it('an address in use is rejected, and only one of two concurrent changes to the same address succeeds', async () => {
    const [one, two] = [await server.player('racer-1'), await server.player('racer-2')]
    const taken = await put(one, { password: 'secret-1', email: 'RACER-2@papermoon.example' })
    expect([taken.statusCode, taken.body]).toEqual([409, 'This email address is already registered.'])
    const email = 'finish@papermoon.example'
    const answers = await Promise.all([one, two].map((racer) => put(racer, { password: 'secret-1', email })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  it('reset codes sent to the old address stop working', async () => {
    const player = await server.player('leaver')
    const { email } = registration('leaver')
    const thief = server.visitor()
    const { resetToken } = (await thief.post('/api/auth/forgot-password', { email })).json()
    await put(player, { password: 'secret-1', email: 'gone@papermoon.example' })
    const reset = await thief.post('/api/auth/reset-password', { token: resetToken, newPassword: 'taken-over-1' })
    expect(reset.statusCode).toBe(400)
  })
})
