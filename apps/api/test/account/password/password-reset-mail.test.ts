import { Registry } from 'prom-client'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { createMailer } from '../../../src/mailer.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { createTestServer, errorsIn, registration, type TestServer } from '../../support/test-server.ts'

let server: TestServer | undefined
let mails: MailServer | undefined
afterEach(async () => {
  await server?.close()
  await mails?.close()
  server = undefined
  mails = undefined
})

async function start(env: Record<string, string>): Promise<TestServer> {
  server = await createTestServer({ hasJobs: false, env })
  return server
}

async function startWithMail(env: Record<string, string> = {}, options = {}) {
  mails = await startMailServer(options)
  return { server: await start({ SMTP_URL: mails.url, ...env }), mails }
}

const forgot = { email: registration('mia').email }

describe('with SMTP_URL', () => {
  it('sends the code by mail and never in the answer, with a link from PUBLIC_URL and not from Host', async () => {
    const { server, mails } = await startWithMail({ PUBLIC_URL: 'https://moon.example' })
    await server.player('mia')
    expect((await mails.next()).source).toContain('Is this your email address?')
    const browser = server.visitor()
    const answer = await browser.post('/api/auth/forgot-password', forgot, { host: 'evil.example' })
    expect(answer.json()).toEqual({ message: expect.stringMatching(/^If an account .*\.$/) })
    const { to, source } = await mails.next()
    expect(to).toEqual([forgot.email])
    expect(source).toContain('From: Papermoon <no-reply@moon.example>')
    // Behind the #, neither the secret nor the address reaches a server's or a proxy's log.
    expect(source).toContain('https://moon.example/reset-password#')
    expect(source).not.toContain('?email')
    expect(source).not.toContain('evil.example')
    const code = /Papermoon reset code is ([0-9]{6})/.exec(source)?.[1]
    const reset = await browser.post('/api/auth/reset-password', { token: code, newPassword: 'secret-2' })
    expect(reset.statusCode).toBe(200)
  })

  it('contains no link without PUBLIC_URL', async () => {
    const { server, mails } = await startWithMail({ MAIL_FROM: 'Moon <moon@x.example>' })
    await server.player('mia')
    await server.visitor().post('/api/auth/forgot-password', forgot, { host: 'evil.example' })
    const { source } = await mails.next()
    expect(source).toContain('From: Moon <moon@x.example>')
    expect(source).not.toContain('http')
  })

  it('gives the same answer for an unknown e-mail and sends no mail', async () => {
    const { server, mails } = await startWithMail()
    await server.player('mia')
    const unknown = await server.visitor().post('/api/auth/forgot-password', { email: 'nobody@papermoon.example' })
    const known = await server.visitor().post('/api/auth/forgot-password', forgot)
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
    expect((await mails.next()).to).toEqual([forgot.email])
    expect(mails.countWaiting()).toBe(0)
  })

  it('mails the registered address only, even if it looks like a list', async () => {
    const { server, mails } = await startWithMail()
    const email = 'a,spam@victim.example'
    // An account older than the rule that refuses such addresses.
    await server.player('lister')
    await server.db.updateTable('users').set({ email, email_key: email }).where('username', '=', 'lister').execute()
    await server.visitor().post('/api/auth/forgot-password', { email: email.toUpperCase() })
    expect((await mails.next()).to).toHaveLength(1)
    expect(mails.countWaiting()).toBe(0)
  })

  it('sends nothing in plain text to another machine, unless the address says so', async () => {
    const mails = await startMailServer()
    // Leads to this machine, without being a loopback address.
    const far = mails.url.replace('127.0.0.1', '0.0.0.0')
    const { server } = await startWithMail({ SMTP_URL: far })
    await server.player('mia')
    await server.visitor().post('/api/auth/forgot-password', forgot)
    await server.app.platform.mailer?.close()
    expect(errorsIn(server)).toMatchObject([{ msg: 'an email could not be sent', err: { code: 'ETLS' } }])
    expect(mails.countWaiting()).toBe(0)
    const plain = createMailer({
      smtpUrl: `${far}?requireTLS=false`,
      from: 'a@b.example',
      log: server.app.platform.log,
      metrics: new Registry(),
    })
    plain.send({ to: 'mia@papermoon.example', subject: 'Hello', text: 'Hello' })
    expect((await mails.next()).to).toEqual(['mia@papermoon.example'])
    await plain.close()
    await mails.close()
  })

  it('gives the same answer while the mail server refuses, and logs it for the operator', async () => {
    const { server } = await startWithMail({}, { isBroken: true })
    await server.player('mia')
    const answer = await server.visitor().post('/api/auth/forgot-password', forgot)
    expect(answer.statusCode).toBe(200)
    await server.app.platform.mailer?.close()
    expect(errorsIn(server)).toMatchObject([{ msg: 'an email could not be sent' }])
    expect(JSON.stringify(server.logs)).not.toMatch(/Papermoon reset code is [0-9]/)
  })
})

describe('the settings of mail', () => {
  it.each(['mail.example', 'http://mail.example', 'smtp://'])('refuses %s as a mail server', (url) => {
    expect(() => readConfig({ SMTP_URL: url })).toThrow('SMTP_URL must be')
  })

  it.each(['nobody', 'a b', 'x@y\nBcc: z@x.org'])('refuses %j as a sender', (from) => {
    expect(() => readConfig({ MAIL_FROM: from })).toThrow('MAIL_FROM must be')
  })
})
