import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { createTestServer, registration, shareTestServer } from '../../support/test-server.ts'

const { email } = registration('mia')
const FORGOT = '/api/auth/forgot-password'
const ON_TERMINAL = {
  message:
    'If an account exists for this email address, its reset code is in the terminal where this server runs. The code expires in 15 minutes.',
  isUnavailable: true,
}
const BY_COMMAND = {
  message:
    'If an account exists for this email address, the operator of this server can create a reset code with npm run admin -- reset-code.',
  isUnavailable: true,
}
const SHOWN = {
  message: 'Use this code within 15 minutes to set a new password.',
  resetToken: expect.stringMatching(/^\d{6}$/),
}

const written: string[] = []
const terminal = { write: (text: string) => written.push(text) > 0 }
const server = await shareTestServer({ hasJobs: false, terminal })
await server.player('mia')

describe('without a mail server, a reset code', () => {
  it.each<{ remoteAddress?: string; headers?: Record<string, string> }>([
    {},
    { headers: { host: 'localhost:3000' } },
    { remoteAddress: '::1', headers: { host: '[::1]:3000' } },
    { headers: { host: 'localhost', 'x-forwarded-for': '127.0.0.1' } },
  ])('is in no answer, however local the call looks: %j', async (from) => {
    const ask = (url: string, payload: object) => server.visitor().send({ method: 'POST', url, payload, ...from })
    const overRest = await ask(FORGOT, { email })
    expect([overRest.statusCode, overRest.json()]).toEqual([200, ON_TERMINAL])
    expect((await ask(FORGOT, { email: 'nobody@papermoon.example' })).json()).toEqual(ON_TERMINAL)
    const overTrpc = await ask('/trpc/auth.forgotPassword', { json: { email } })
    expect(overTrpc.json().result.data.json).toEqual(ON_TERMINAL)
  })

  it('is printed on the terminal if the account exists, sets a password, and is never logged', async () => {
    written.splice(0)
    const browser = server.visitor()
    await browser.post(FORGOT, { email: 'nobody@papermoon.example' })
    await browser.post(FORGOT, { email })
    const [line = '', ...more] = written
    expect([line, more]).toEqual([
      `The reset code for ${email} is ${line.match(/\d{6}/)}. It expires in 15 minutes.\n`,
      [],
    ])
    const token = /\d{6}/.exec(line)?.[0] ?? ''
    expect((await browser.post('/api/auth/reset-password', { token, newPassword: 'secret-2' })).statusCode).toBe(200)
    expect(JSON.stringify(server.logs)).not.toContain(token)
  })

  it('is not shown without a terminal, and the message names the operator’s command', async () => {
    const other = await createTestServer({ hasJobs: false })
    onTestFinished(() => other.close())
    await other.player('mia')
    for (const address of [email, 'nobody@papermoon.example']) {
      expect((await other.visitor().post(FORGOT, { email: address })).json()).toEqual(BY_COMMAND)
    }
  })
})

describe('SHOW_RESET_CODES=on', () => {
  it('shows codes in the response, and not on the terminal', async () => {
    const open = await createTestServer({ hasJobs: false, env: { SHOW_RESET_CODES: 'on' }, terminal })
    onTestFinished(() => open.close())
    await open.player('mia')
    written.splice(0)
    expect((await open.visitor().post(FORGOT, { email })).json()).toEqual(SHOWN)
    expect((await open.visitor().post(FORGOT, { email }, { host: 'moon.example', via: '1.1 x' })).json()).toEqual(SHOWN)
    expect(written).toEqual([])
  })

  it('shows no codes if a mail server is set, and is rejected on a public server', () => {
    const env = { SHOW_RESET_CODES: 'on' }
    expect(readConfig({ ...env, SMTP_URL: 'smtp://mail.example' }).resetCodesShown).toBe(false)
    expect(() => readConfig({ ...env, PUBLIC_URL: 'https://moon.example' })).toThrow('SHOW_RESET_CODES must be off')
  })
})
