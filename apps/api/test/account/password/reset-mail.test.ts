import { Registry } from 'prom-client'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { toAccountKey } from '../../../src/features/account/password/reset-store.ts'
import { createMailer } from '../../../src/mailer.ts'
import { solved } from '../../support/factors/solve-proof-of-work.ts'
import { changeSettings, createLimitedAccounts } from '../../support/limited-accounts.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { errorsIn, registration, type Visitor } from '../../support/test-server.ts'

type Headers = Record<string, string>

const mails = await startMailServer({})
const env = { SMTP_URL: mails.url, SHOW_RESET_CODES: 'off', PUBLIC_URL: 'https://moon.example' }
const { server, fromNew, newPlayer } = await createLimitedAccounts(env)
afterAll(async () => {
  expect(errorsIn(server)).toEqual([])
  await mails.close()
})
let owner: Awaited<ReturnType<typeof newPlayer>>
beforeEach(async () => {
  hosts.clear()
  owner = await newPlayer()
  expect((await mails.next(owner.email)).source).toContain('Is this your email address?')
  await server.db.deleteFrom('shared_budgets').execute()
})

const visitor = () => server.visitor()
const hosts = new Map<number, Headers>()
/** Returns the header that sends a request from one of the test's own IP addresses. */
function from(host: number): Headers {
  const header = hosts.get(host) ?? fromNew()
  hosts.set(host, header)
  return header
}
const ask = (headers: Headers, email = owner.email) => visitor().post('/api/auth/forgot-password', { email }, headers)

/** Returns the secret after the link's #, with the line breaks of the mail removed. */
async function readLink(): Promise<{ secret: string; source: string }> {
  const { source } = await mails.next(owner.email)
  const text = source.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  const link = /https:\/\/moon\.example\/reset-password#([^&\s]+)&email=limited-\d+%40papermoon\.example\s/.exec(text)
  return { secret: link?.[1] ?? '', source: text }
}

const guess = (browser: Visitor, headers: Headers, token: string) =>
  browser.post('/api/auth/reset-password', { token, newPassword: 'a-kite-in-may', email: owner.email }, headers)

describe('the link of a reset mail', () => {
  it('sets a new password once, in any browser, without code and email', async () => {
    await ask(from(1))
    const { secret } = await readLink()
    expect(secret).toMatch(/^[\w-]{43}$/)
    const use = (more: object = {}) =>
      visitor().post('/api/auth/reset-password', { token: secret, newPassword: 'a-kite-in-may', ...more })
    expect((await use({ email: 'somebody-else@x.org' })).statusCode).toBe(400)
    expect((await use()).statusCode).toBe(200)
    expect((await use()).body).toBe('Invalid or expired reset code.')
    const login = { email: owner.email, password: 'a-kite-in-may' }
    expect((await visitor().post('/api/auth/login', login)).statusCode).toBe(200)
  })

  it('is valid for 15 minutes and stored as a hash only', async () => {
    await ask(from(1))
    const { secret } = await readLink()
    const rows = await server.db.selectFrom('password_resets').selectAll().execute()
    const stored = JSON.stringify(rows.map((row) => ({ ...row, secret_hash: row.secret_hash?.toString('base64url') })))
    expect(stored).not.toContain(secret)
    expect(JSON.stringify(server.logs)).not.toContain(secret)
    server.passTime(15 * 60_000)
    expect((await guess(visitor(), from(2), secret)).statusCode).toBe(400)
  })

  it('survives wrong codes and has no budget', async () => {
    const browser = visitor()
    await browser.post('/api/auth/forgot-password', { email: owner.email }, from(1))
    const { secret } = await readLink()
    for (let i = 0; i < 6; i++) await guess(browser, from(1), '000000')
    for (let i = 0; i < 15; i++) await guess(visitor(), from(2), '000000')
    await server.db.updateTable('shared_budgets').set({ spent: 1_000 }).execute()
    expect((await guess(visitor(), from(3), secret)).statusCode).toBe(200)
  })

  it('comes with a code within the limits; past them it comes alone, at most every five minutes', async () => {
    for (let i = 0; i < 20; i++) {
      await ask(from(Math.floor(i / 4)))
      expect((await readLink()).source).toMatch(/Papermoon reset code is [0-9]{6}/)
    }
    const refused = await ask(from(50))
    expect(refused.statusCode).toBe(429)
    // A stranger requested the last link, which is still valid, so no further link is mailed yet.
    const worked = await ask({ ...from(50), ...(await solved(refused)) })
    expect(worked.json()).toEqual({ message: expect.stringContaining('we have emailed a link') })
    expect(mails.countWaiting(owner.email)).toBe(0)
    server.passTime(5 * 60_000 + 1)
    const later = await ask({ ...from(51), ...(await solved(await ask(from(51)))) })
    expect(later.json()).toEqual(worked.json())
    const { secret, source } = await readLink()
    expect(source).not.toMatch(/Papermoon reset code is/)
    expect((await guess(visitor(), from(52), secret)).statusCode).toBe(200)
  })

  it('past the limits has the same response and the same rows for an unknown email', async () => {
    const outcomes: unknown[] = []
    for (const email of [owner.email, 'nobody@papermoon.example']) {
      for (let i = 0; i < 4; i++) await ask(from(1), email)
      server.passTime(5 * 60_000 + 1)
      const answers = []
      for (let i = 0; i < 2; i++) {
        const answer = await ask({ ...from(1), ...(await solved(await ask(from(1), email))) }, email)
        answers.push([answer.statusCode, answer.body, answer.cookies.map(({ name }) => name)])
      }
      const rows = server.db.selectFrom('password_resets').where('account_key', '=', toAccountKey(email))
      outcomes.push([
        answers,
        (await rows.select(['code_hash']).orderBy('created_at').execute()).map(({ code_hash }) => code_hash === null),
      ])
    }
    expect(outcomes[0]).toEqual(outcomes[1])
  })

  it('is replaced by its secret as a code if PUBLIC_URL is not set', async () => {
    changeSettings(server, { publicUrl: null })
    for (let i = 0; i < 4; i++) {
      await ask(from(1))
      expect((await mails.next(owner.email)).source).not.toContain('http')
    }
    server.passTime(5 * 60_000 + 1)
    await ask({ ...from(1), ...(await solved(await ask(from(1)))) })
    const { source } = await mails.next(owner.email)
    const secret = /Papermoon reset code is ([\w-]{43})/.exec(source.replaceAll(/=\r?\n/g, ''))?.[1] ?? ''
    expect((await guess(visitor(), from(2), secret)).statusCode).toBe(200)
  })

  it('and the mail around it contain no text that the account’s owner chose', async () => {
    const email = 'you@victim.example'
    const advertisement = { ...registration('x'), username: 'Win: https://evil.example', email }
    expect((await visitor().post('/api/auth/register', advertisement, from(2))).statusCode).toBe(201)
    await mails.next(email)
    await ask(from(1), email)
    const { source } = await mails.next(email)
    expect(source).not.toMatch(/evil|Win/)
  })
})

describe('a reset code', () => {
  it('comes by mail and never in the response, with a URL from PUBLIC_URL and not from Host', async () => {
    const browser = visitor()
    const asked = { email: owner.email }
    const answer = await browser.post('/api/auth/forgot-password', asked, { host: 'evil.example', ...from(1) })
    expect(answer.json()).toEqual({ message: expect.stringMatching(/^If an account .*\.$/) })
    const { to, source } = await mails.next(owner.email)
    expect(to).toEqual([owner.email])
    expect(source).toContain('From: Papermoon <no-reply@moon.example>')
    // The part behind the # is not sent to servers, so neither the secret nor the email address gets into their logs.
    expect(source).toContain('https://moon.example/reset-password#')
    expect(source).not.toMatch(/\?email|evil\.example/)
    const token = /Papermoon reset code is ([0-9]{6})/.exec(source)?.[1]
    const reset = await browser.post('/api/auth/reset-password', { token, newPassword: 'secret-2' }, from(1))
    expect(reset.statusCode).toBe(200)
  })

  it('for an unknown email gets the same response, and no mail is sent', async () => {
    const unknown = await ask(from(1), 'nobody@papermoon.example')
    const known = await ask(from(2))
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
    expect((await mails.next(owner.email)).to).toEqual([owner.email])
    expect(mails.countWaiting('nobody@papermoon.example')).toBe(0)
  })

  it('is mailed to the registered address only, even if it looks like a list', async () => {
    const email = 'a,spam@victim.example'
    // This account is older than the rule that rejects such addresses.
    await server.db.updateTable('users').set({ email, email_key: email }).where('email', '=', owner.email).execute()
    await ask(from(1), email.toUpperCase())
    let mail = await mails.next()
    while (!mail.to.join().includes('victim')) mail = await mails.next()
    expect(mail.to).toHaveLength(1)
    expect(mails.countWaiting('spam@victim.example')).toBe(0)
  })
})

describe('a mailer', () => {
  const mail = { to: 'mia@papermoon.example', subject: 'Hello', text: 'Hello' }
  const failures: unknown[] = []
  /** Sends a mail through this server. */
  async function send(smtpUrl: string): Promise<void> {
    const log = { error: ({ err }: { err: unknown }) => failures.push(err) } as never
    const mailer = createMailer({ smtpUrl, from: 'Moon <moon@x.example>', log, metrics: new Registry() })
    mailer.send(mail)
    await mailer.close()
  }

  it('sends nothing in plain text to another machine, unless the URL allows it', async () => {
    // 0.0.0.0 also reaches this machine, but is not a loopback address.
    const far = mails.url.replace('127.0.0.1', '0.0.0.0')
    await send(far)
    expect(failures.splice(0)).toMatchObject([{ code: 'ETLS' }])
    await send(`${far}?requireTLS=false`)
    expect((await mails.next(mail.to)).source).toContain('From: Moon <moon@x.example>')
    expect(mails.countWaiting(mail.to)).toBe(0)
  })

  it('sends important mails first, and drops unimportant ones when more than five hundred wait', async () => {
    const slow = await startMailServer()
    onTestFinished(() => slow.close())
    const dropped: unknown[] = []
    const log = { error: ({ err }: { err: unknown }) => dropped.push(err) } as never
    const mailer = createMailer({ smtpUrl: slow.url, from: 'moon@x.example', log, metrics: new Registry() })
    for (let count = 0; count < 600; count++) mailer.send({ ...mail, to: 'bulk@x.example', canBeDropped: true })
    mailer.send(mail)
    const first = []
    for (let count = 0; count < 10; count++) first.push((await slow.next()).to[0])
    expect(first).toContain(mail.to)
    // Four mails were being sent, and 500 were waiting.
    expect(dropped).toHaveLength(96)
    await mailer.close()
  })

  it('reports a failing mail server to the operator, but not to callers', async () => {
    const broken = await startMailServer({ isBroken: true })
    onTestFinished(() => broken.close())
    await send(broken.url)
    expect(failures.splice(0)).toHaveLength(1)
  })
})
