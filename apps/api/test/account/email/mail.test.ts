import { afterAll, describe, expect, it } from 'vitest'
import { changeSettings, createLimitedAccounts } from '../../support/limited-accounts.ts'
import { type ReceivedMail, startMailServer } from '../../support/mail-server.ts'
import { registration, type Visitor } from '../../support/test-server.ts'

const HOUR_MS = 3_600_000
const MOON = 'https://moon.example'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'

const mails = await startMailServer()
const env = { SMTP_URL: mails.url, PUBLIC_URL: MOON, SHOW_RESET_CODES: 'off' }
const { server, fromNew, newPlayer: register } = await createLimitedAccounts(env)
afterAll(() => mails.close())

/** Returns a mail's text without the line breaks and escapes of its quoted-printable encoding. */
const decodeText = ({ source }: ReceivedMail) => source.replaceAll('=\r\n', '').replaceAll('=3D', '=')
const secretIn = (mail: ReceivedMail) =>
  /https:\/\/moon\.example\/verify-email#([\w-]{43})/.exec(decodeText(mail))?.[1] ?? ''
const verify = (token: string, visitor = server.visitor()) => visitor.post('/api/account/email/verify', { token })
const readState = async (visitor: Visitor) => (await visitor.get('/api/account/email')).json()
const put = (visitor: Visitor, url: string, body: object) =>
  visitor.raw('PUT', url, JSON.stringify(body), { 'content-type': 'application/json', ...fromNew() })
const changeEmail = (visitor: Visitor, email: string) =>
  put(visitor, '/api/account/email', { password: 'secret-1', email })
const changeWallet = (visitor: Visitor, wallet: string) =>
  put(visitor, '/api/account/wallet', { password: 'secret-1', wallet })

const signIn = async (email: string, headers: Record<string, string> = fromNew(), visitor = server.visitor()) =>
  (await visitor.post('/api/auth/login', { email, password: 'secret-1' }, headers)).statusCode

/** Registers a player and, by default, opens the mailed link. */
async function newPlayer({ isVerified = true } = {}) {
  const player = await register()
  const mail = await mails.next(player.email)
  if (isVerified) expect((await verify(secretIn(mail))).statusCode).toBe(200)
  return player
}

let targets = 0
/** Returns an email address that no account has. */
const newAddress = () => `target-${++targets}@papermoon.example`

describe('a new player', () => {
  it('gets a link that verifies the address once, in any browser', async () => {
    const { email, browser } = await register()
    const mail = await mails.next(email)
    expect(mail.to).toEqual([email])
    expect(await readState(browser)).toEqual({ email, isVerified: false, canVerify: true, pending: null })
    expect((await verify(secretIn(mail))).statusCode).toBe(200)
    expect(await readState(browser)).toMatchObject({ isVerified: true, pending: null })
    const again = await verify(secretIn(mail))
    expect([again.statusCode, again.body]).toEqual([400, 'This link no longer works. Request a new one in Settings.'])
  })

  it('gets a mail without any text that a player chose', async () => {
    const player = { ...registration('x'), username: 'Win: evil.example' }
    await server.visitor().post('/api/auth/register', player, { 'user-agent': 'evil.example/1.0', ...fromNew() })
    expect(decodeText(await mails.next(player.email))).not.toContain('evil.example')
  })

  it('may request another link, which invalidates the earlier one and expires after a day', async () => {
    const { email, browser } = await register()
    const first = secretIn(await mails.next(email))
    expect((await browser.post('/api/account/email/link', {})).statusCode).toBe(200)
    const second = secretIn(await mails.next(email))
    expect((await verify(first)).statusCode).toBe(400)
    server.passTime(24 * HOUR_MS + 1)
    expect((await verify(second)).statusCode).toBe(400)
    await browser.post('/api/account/email/link', {})
    expect((await verify(secretIn(await mails.next(email)))).statusCode).toBe(200)
    await browser.post('/api/account/email/link', {})
    expect(mails.countWaiting(email)).toBe(0)
  })

  it('gets no link without PUBLIC_URL, but can still change the address', async () => {
    changeSettings(server, { publicUrl: null })
    const [{ email, browser }, other] = [await register(), newAddress()]
    expect(await readState(browser)).toMatchObject({ isVerified: false, canVerify: false })
    expect((await changeEmail(browser, other)).json().email).toBe(other)
    expect(decodeText(await mails.next(email))).toContain('The email address for your Papermoon account was changed')
    expect(mails.countWaiting(email)).toBe(0)
  })

  it('can request a limited number of changes of the address', async () => {
    const { browser } = await newPlayer()
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) statuses.push((await changeEmail(browser, newAddress())).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  })

  it('is one of a limited number of accounts that can send links to the same address', async () => {
    const [target, statuses] = [newAddress(), [] as number[]]
    for (let count = 0; count < 6; count++)
      statuses.push((await changeEmail((await register()).browser, target)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})

describe('an address that strangers entered as theirs', () => {
  it('can still be verified by its owner', async () => {
    const victim = { ...registration('victim'), email: newAddress() }
    for (let count = 0; count < 5; count++) {
      const { browser } = await register()
      expect((await changeEmail(browser, victim.email)).statusCode).toBe(200)
      await mails.next(victim.email)
    }
    const browser = server.visitor()
    await browser.post('/api/auth/register', victim, fromNew())
    await mails.next(victim.email)
    expect((await browser.post('/api/account/email/link', {})).statusCode).toBe(200)
    expect((await verify(secretIn(await mails.next(victim.email)))).statusCode).toBe(200)
    // A player also gets a limited number of links for the player's own address.
    const { browser: waiting } = await newPlayer({ isVerified: false })
    const statuses: number[] = []
    for (let count = 0; count < 5; count++) {
      statuses.push((await waiting.post('/api/account/email/link', {})).statusCode)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429])
  })
})

describe('a new email address', () => {
  it('takes effect once its link is opened, while the old address stays valid and is notified', async () => {
    const [{ email, browser }, target] = [await newPlayer(), newAddress()]
    const answer = await changeEmail(browser, target)
    expect(answer.json()).toMatchObject({ email, pending: { email: target } })
    const [link, told] = [await mails.next(target), await mails.next(email)]
    expect(decodeText(told)).not.toContain(target)
    const readLastEvent = async () => (await browser.get('/api/account/events')).json()[0].kind
    expect(await readLastEvent()).toBe('email_change_asked')
    expect(await signIn(target)).toBe(401)
    expect((await verify(secretIn(link))).statusCode).toBe(200)
    expect(await readState(browser)).toMatchObject({ email: target, isVerified: true, pending: null })
    expect(await readLastEvent()).toBe('email_changed')
    expect((await mails.next(email)).to).toEqual([email])
    expect([await signIn(email), await signIn(target)]).toEqual([401, 200])
  })

  it('that another player took meanwhile stays with that player', async () => {
    const [{ email, browser }, target] = [await newPlayer(), newAddress()]
    await changeEmail(browser, target)
    const link = await mails.next(target)
    const fast = { ...registration('fast'), email: target }
    expect((await server.visitor().post('/api/auth/register', fast, fromNew())).statusCode).toBe(201)
    expect([(await verify(secretIn(link))).statusCode, (await readState(browser)).email]).toEqual([409, email])
  })

  it.each(['password', 'reset'])('is not set by a link from before a new password (%s)', async (how) => {
    const [{ email, browser }, thief] = [await newPlayer(), newAddress()]
    await changeEmail(browser, thief)
    const [link] = [await mails.next(thief), await mails.next(email)]
    if (how === 'password') {
      await browser.post('/api/account/password', { password: 'secret-1', newPassword: 'a paper moon' })
    } else expect((await resetPassword(email, browser)).statusCode).toBe(200)
    expect((await verify(secretIn(link))).statusCode).toBe(400)
  })
})

/** Sets a new password by a mailed code. */
async function resetPassword(email: string, browser: Visitor) {
  await browser.post('/api/auth/forgot-password', { email }, fromNew())
  const token = /Your Papermoon reset code is ([0-9]{6})/.exec(decodeText(await mails.next(email)))?.[1]
  return await browser.post('/api/auth/reset-password', { token, newPassword: 'a paper moon' }, fromNew())
}

describe('a notice', () => {
  it('reports a sign-in from an unknown browser, and none from a trusted one', async () => {
    const { email, browser } = await newPlayer()
    expect(await signIn(email, fromNew(), browser)).toBe(200)
    expect(await signIn(email, { ...fromNew(), 'user-agent': FIREFOX })).toBe(200)
    const text = decodeText(await mails.next(email))
    expect(text).toContain('Someone logged in to your account from a new browser.')
    expect(text).toContain('With: Firefox 144 on Linux')
    expect(mails.countWaiting(email)).toBe(0)
  })

  it.each([
    [
      'a new password',
      (player: Visitor) => player.post('/api/account/password', { password: 'secret-1', newPassword: 'a paper moon' }),
      'Your password was changed',
    ],
    ['a new wallet', (player: Visitor) => changeWallet(player, 'new'), 'wallet'],
    [
      'an API key',
      (player: Visitor) => player.post('/api/keys', { name: 'evil.example', scopes: ['read'] }),
      'An API key was created',
    ],
    ['an export', (player: Visitor) => player.post('/api/account/export', {}), 'a copy of everything'],
    ['a deletion', (player: Visitor) => player.post('/api/account/deletion', {}), 'will be deleted in seven days'],
  ])('reports %s', async (_what, act, sentence) => {
    const { email, browser } = await newPlayer()
    expect((await act(browser)).statusCode).toBeLessThan(300)
    const text = decodeText(await mails.next(email))
    expect(text).toContain(sentence)
    expect(text).not.toContain('evil.example')
  })

  it('is sent a limited number of times a day, but always for a requested deletion', async () => {
    const { email, browser } = await newPlayer({ isVerified: false })
    for (let count = 0; count < 7; count++) expect((await changeWallet(browser, `new-${count}`)).statusCode).toBe(200)
    for (let count = 0; count < 5; count++) await mails.next(email)
    const { deletionDueAt } = (await browser.post('/api/account/deletion', {})).json()
    // No further notice about the wallet comes before the one about the deletion.
    const text = decodeText(await mails.next(email))
    expect(text).toContain('log in and press Keep my account in Settings')
    expect(text).toContain(`Deletion date: ${deletionDueAt.slice(0, 16).replace('T', ' ')} UTC`)
    // A repeated request sends no second notice.
    server.passTime(60_000)
    expect((await browser.post('/api/account/deletion', {})).json()).toEqual({ deletionDueAt })
    const other = await newPlayer({ isVerified: false })
    await changeWallet(other.browser, 'new')
    await mails.next(other.email)
    expect(mails.countWaiting(email)).toBe(0)
  })

  it('reports a password reset', async () => {
    const { email, browser } = await newPlayer()
    await resetPassword(email, browser)
    const text = decodeText(await mails.next(email))
    expect(text).toContain('Someone reset your password with a reset code')
    expect(text).toMatch(/A reset does not remove passkeys\. In Settings, remove any passkey/)
  })

  it('names only known browsers, and no browser while the address is not verified', async () => {
    const verified = await newPlayer()
    await signIn(verified.email, { ...fromNew(), 'user-agent': 'evil.example/1 (Windows NT 10.0)' })
    expect(decodeText(await mails.next(verified.email))).not.toMatch(/evil|With:/)
    const { email } = await newPlayer({ isVerified: false })
    await signIn(email, { ...fromNew(), 'user-agent': FIREFOX })
    expect(decodeText(await mails.next(email))).not.toContain('With:')
  })
})
