import { afterEach, describe, expect, it } from 'vitest'
import { type MailServer, type ReceivedMail, startMailServer } from '../../support/mail-server.ts'
import { createTestServer, registration, type TestServer, type Visitor } from '../../support/test-server.ts'

const HOUR_MS = 3_600_000
const MOON = 'https://moon.example'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'

let server: TestServer
let mails: MailServer
afterEach(async () => {
  await server.close()
  await mails.close()
})

async function start(env: Record<string, string> = {}): Promise<void> {
  mails = await startMailServer()
  server = await createTestServer({ hasJobs: false, env: { SMTP_URL: mails.url, PUBLIC_URL: MOON, ...env } })
}

const credentials = (username: string) => {
  const { email, password } = registration(username)
  return { email, password }
}
/** A mail's text with the lines put together that SMTP breaks. */
const decodeText = ({ source }: ReceivedMail) => source.replaceAll('=\r\n', '').replaceAll('=3D', '=')
const secretIn = (mail: ReceivedMail) =>
  /https:\/\/moon\.example\/verify-email#([\w-]{43})/.exec(decodeText(mail))?.[1] ?? ''
const verify = (token: string, visitor = server.visitor()) => visitor.post('/api/account/email/verify', { token })
const readState = async (visitor: Visitor) => (await visitor.get('/api/account/email')).json()
const changeEmail = (visitor: Visitor, email: string, password = 'secret-1') =>
  visitor.raw('PUT', '/api/account/email', JSON.stringify({ password, email }), { 'content-type': 'application/json' })

/** A player whose link was mailed and, by default, opened. */
async function newPlayer(username: string, { isVerified = true } = {}): Promise<Visitor> {
  const player = await server.player(username)
  const mail = await mails.next()
  if (isVerified) expect((await verify(secretIn(mail))).statusCode).toBe(200)
  return player
}

describe('a new player', () => {
  it('gets a link, which verifies the address once, in whatever browser', async () => {
    await start()
    const player = await server.player('mia')
    const mail = await mails.next()
    expect(mail.to).toEqual(['mia@papermoon.example'])
    expect(await readState(player)).toEqual({
      email: 'mia@papermoon.example',
      isVerified: false,
      canVerify: true,
      pending: null,
    })
    expect((await verify(secretIn(mail))).statusCode).toBe(200)
    expect(await readState(player)).toMatchObject({ isVerified: true, pending: null })
    const again = await verify(secretIn(mail))
    expect([again.statusCode, again.body]).toEqual([
      400,
      'This link is good no more. You can ask for a new one in the settings.',
    ])
  })

  it('gets nothing in that mail that a player wrote', async () => {
    await start()
    const visitor = server.visitor()
    const username = 'Win: evil.example'
    await visitor.post('/api/auth/register', { ...registration('x'), username }, { 'user-agent': 'evil.example/1.0' })
    expect(decodeText(await mails.next())).not.toContain('evil.example')
  })

  it('may ask for the link again; the one before is worth nothing then, and after a day the last one too', async () => {
    await start()
    const player = await server.player('again')
    const first = secretIn(await mails.next())
    expect((await player.post('/api/account/email/link', {})).statusCode).toBe(200)
    const second = secretIn(await mails.next())
    expect((await verify(first)).statusCode).toBe(400)
    server.passTime(24 * HOUR_MS + 1)
    expect((await verify(second)).statusCode).toBe(400)
    await player.post('/api/account/email/link', {})
    expect((await verify(secretIn(await mails.next()))).statusCode).toBe(200)
    await player.post('/api/account/email/link', {})
    expect(mails.waiting).toBe(0)
  })

  it('gets no link without PUBLIC_URL, and everything works', async () => {
    await start({ PUBLIC_URL: '' })
    const player = await server.player('linkless')
    expect(await readState(player)).toMatchObject({ isVerified: false, canVerify: false })
    expect((await changeEmail(player, 'other@papermoon.example')).json().email).toBe('other@papermoon.example')
    const { to } = await mails.next()
    expect([to, mails.waiting]).toEqual([['linkless@papermoon.example'], 0])
  })

  it('and an account’s changes send a bounded number of mails to an address', async () => {
    await start({ RATE_LIMIT: 'on' })
    const player = await newPlayer('sender')
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) {
      statuses.push((await changeEmail(player, `target-${count}@papermoon.example`)).statusCode)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  })

  it('is one of a bounded number of accounts that send mail to one address', async () => {
    await start({ RATE_LIMIT: 'on' })
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) {
      const player = await server.player(`many-${count}`)
      statuses.push((await changeEmail(player, 'target@papermoon.example')).statusCode)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})

describe('an address that strangers gave as theirs', () => {
  it('is still verified by the player who has it', async () => {
    await start({ RATE_LIMIT: 'on' })
    for (let count = 0; count < 5; count++) {
      const stranger = await newPlayer(`stranger-${count}`)
      expect((await changeEmail(stranger, 'victim@papermoon.example')).statusCode).toBe(200)
      await mails.next()
      await mails.next()
    }
    const victim = await server.player('victim')
    const welcome = await mails.next()
    expect(welcome.to).toEqual(['victim@papermoon.example'])
    expect((await victim.post('/api/account/email/link', {})).statusCode).toBe(200)
    expect((await verify(secretIn(await mails.next()))).statusCode).toBe(200)
    // Of their own, too, a bounded number.
    const waiting = await newPlayer('impatient', { isVerified: false })
    const statuses: number[] = []
    for (let count = 0; count < 5; count++) {
      statuses.push((await waiting.post('/api/account/email/link', {})).statusCode)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429])
  })
})

describe('another e-mail address', () => {
  it('takes effect once its link is opened; the old one is notified, and stays valid until then', async () => {
    await start()
    const player = await newPlayer('mover')
    const answer = await changeEmail(player, 'new@papermoon.example')
    expect(answer.json()).toMatchObject({
      email: 'mover@papermoon.example',
      pending: { email: 'new@papermoon.example' },
    })
    const [one, two] = [await mails.next(), await mails.next()]
    const [link, told] = one.to[0] === 'new@papermoon.example' ? [one, two] : [two, one]
    expect([link.to, told.to]).toEqual([['new@papermoon.example'], ['mover@papermoon.example']])
    expect(decodeText(told)).not.toContain('new@papermoon.example')
    const listEventKinds = async () =>
      (await player.get('/api/account/events')).json().map((event: { kind: string }) => event.kind)
    expect((await listEventKinds())[0]).toBe('email_change_asked')
    const signIn = async (email: string) =>
      (await server.visitor().post('/api/auth/login', { email, password: 'secret-1' })).statusCode
    expect(await signIn('new@papermoon.example')).toBe(401)
    expect((await verify(secretIn(link))).statusCode).toBe(200)
    expect(await readState(player)).toMatchObject({ email: 'new@papermoon.example', isVerified: true, pending: null })
    expect((await listEventKinds())[0]).toBe('email_changed')
    expect((await mails.next()).to).toEqual(['mover@papermoon.example'])
    expect([await signIn('mover@papermoon.example'), await signIn('new@papermoon.example')]).toEqual([401, 200])
  })

  it('that somebody took meanwhile stays theirs', async () => {
    await start()
    const player = await newPlayer('late')
    await changeEmail(player, 'fast@papermoon.example')
    const [one, two] = [await mails.next(), await mails.next()]
    await server.player('fast')
    const answer = await verify(secretIn(one) || secretIn(two))
    expect([answer.statusCode, (await readState(player)).email]).toEqual([409, 'late@papermoon.example'])
  })

  it.each(['password', 'reset'])('is not taken over with a link from before a new %s', async (how) => {
    await start()
    const player = await newPlayer('robbed')
    await changeEmail(player, 'thief@papermoon.example')
    const [one, two] = [await mails.next(), await mails.next()]
    if (how === 'password') {
      await player.post('/api/account/password', { password: 'secret-1', newPassword: 'a paper moon' })
    } else {
      await player.post('/api/auth/forgot-password', { email: 'robbed@papermoon.example' })
      const code = /code for Papermoon is ([0-9]{6})/.exec(decodeText(await mails.next()))?.[1]
      const reset = await player.post('/api/auth/reset-password', { token: code, newPassword: 'a paper moon' })
      expect(reset.statusCode).toBe(200)
    }
    expect((await verify(secretIn(one) || secretIn(two))).statusCode).toBe(400)
  })
})

describe('a notice', () => {
  it('reports a sign-in from an unknown browser, and none from a trusted one', async () => {
    await start()
    const player = await newPlayer('owner')
    await player.post('/api/auth/login', credentials('owner'))
    await server.visitor().post('/api/auth/login', credentials('owner'), { 'user-agent': FIREFOX })
    const mail = await mails.next()
    expect(mail.to).toEqual(['owner@papermoon.example'])
    expect(decodeText(mail)).toContain('a browser that was not used for it before signed in')
    expect(decodeText(mail)).toContain('With: Firefox 144 on Linux')
    expect(mails.waiting).toBe(0)
  })

  it.each([
    [
      'a new password',
      (player: Visitor) => player.post('/api/account/password', { password: 'secret-1', newPassword: 'a paper moon' }),
      'password of your account was changed',
    ],
    [
      'a new wallet',
      (player: Visitor) =>
        player.raw('PUT', '/api/account/wallet', '{"password":"secret-1","wallet":"new"}', {
          'content-type': 'application/json',
        }),
      'wallet',
    ],
    [
      'an API key',
      (player: Visitor) => player.post('/api/keys', { name: 'evil.example', scopes: ['read'] }),
      'an API key was made',
    ],
    ['an export', (player: Visitor) => player.post('/api/account/export', {}), 'a copy of everything'],
    ['a deletion', (player: Visitor) => player.post('/api/account/deletion', {}), 'is to be deleted in seven days'],
  ])('reports %s', async (_what, act, sentence) => {
    await start()
    const player = await newPlayer('owner')
    expect((await act(player)).statusCode).toBeLessThan(300)
    const text = decodeText(await mails.next())
    expect(text).toContain(sentence)
    expect(text).not.toContain('evil.example')
  })

  it('reports a requested deletion, its time and how to cancel it, even past the daily limit of notices', async () => {
    await start({ RATE_LIMIT: 'on' })
    const player = await newPlayer('leaver', { isVerified: false })
    for (let count = 0; count < 6; count++) {
      const wallet = `{"password":"secret-1","wallet":"new-${count}"}`
      await player.raw('PUT', '/api/account/wallet', wallet, { 'content-type': 'application/json' })
    }
    for (let count = 0; count < 5; count++) await mails.next()
    const { deletionDueAt } = (await player.post('/api/account/deletion', {})).json()
    const text = decodeText(await mails.next())
    expect(text).toContain('sign in and undo it in the settings')
    expect(text).toContain(`Deleted at: ${deletionDueAt.slice(0, 16).replace('T', ' ')} UTC`)
    // Asked again, nothing is new.
    await player.post('/api/account/deletion', {})
    await server.app.platform.mailer?.close()
    expect(mails.waiting).toBe(0)
  })

  it('reports a reset', async () => {
    await start()
    const player = await newPlayer('resetter')
    await player.post('/api/auth/forgot-password', { email: 'resetter@papermoon.example' })
    const code = /code for Papermoon is ([0-9]{6})/.exec(decodeText(await mails.next()))?.[1]
    await player.post('/api/auth/reset-password', { token: code, newPassword: 'a paper moon' })
    const text = decodeText(await mails.next())
    expect(text).toContain('a new password was set for your account')
    expect(text).toMatch(/A new password leaves passkeys as they are\. Then look at your settings, and remove those/)
  })

  it('holds no word of a browser’s that could be read as more than a name, and none at all while the address is not verified', async () => {
    await start()
    await newPlayer('spelled')
    const signIn = (username: string, browser: string) =>
      server.visitor().post('/api/auth/login', credentials(username), { 'user-agent': browser })
    await signIn('spelled', 'evil.example/1 (Windows NT 10.0)')
    expect(decodeText(await mails.next())).not.toMatch(/evil|With:/)
    await newPlayer('unverified', { isVerified: false })
    await signIn('unverified', FIREFOX)
    expect(decodeText(await mails.next())).not.toContain('With:')
  })

  it('is one of a bounded number a day, and the call is done all the same', async () => {
    await start({ RATE_LIMIT: 'on' })
    const player = await newPlayer('busy', { isVerified: false })
    for (let count = 0; count < 7; count++) {
      const wallet = `{"password":"secret-1","wallet":"new-${count}"}`
      const answer = await player.raw('PUT', '/api/account/wallet', wallet, { 'content-type': 'application/json' })
      expect(answer.statusCode).toBe(200)
    }
    for (let count = 0; count < 5; count++) await mails.next()
    await server.app.platform.mailer?.close()
    expect(mails.waiting).toBe(0)
  })
})
