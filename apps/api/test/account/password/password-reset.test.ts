import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { deleteOldRows } from '../../../src/delete-old-rows.ts'
import { countHashes, registration, shareTestServer, type Visitor } from '../../support/test-server.ts'
import { waitForLocked } from '../../support/wait.ts'

const MINUTE_MS = 60_000
const NEW = 'brand-new-secret'
const INVALID = [400, 'Invalid or expired reset code.']

const server = await shareTestServer({ env: { SHOW_RESET_CODES: 'on' } })

const toEmail = (username: string) => registration(username).email
const canLogin = async (username: string, password: string) =>
  (await server.visitor().post('/api/auth/login', { email: toEmail(username), password })).statusCode === 200

/** Returns a player, and a browser without a session that requested a reset code for the player. */
async function forgetful(username: string): Promise<{ player: Visitor; browser: Visitor; code: string }> {
  const player = await server.player(username)
  const browser = server.visitor()
  return { player, browser, code: await askCode(browser, username) }
}

async function askCode(browser: Visitor, username: string): Promise<string> {
  const answer = await browser.post('/api/auth/forgot-password', { email: toEmail(username) })
  expect(answer.statusCode).toBe(200)
  return answer.json().resetToken
}

const reset = (browser: Visitor, body: Record<string, unknown>) =>
  browser.post('/api/auth/reset-password', { newPassword: NEW, ...body })
const another = (code: string) => (code === '123456' ? '654321' : '123456')
const toAnswer = ({ statusCode, body }: { statusCode: number; body: string }) => [statusCode, body]

describe('a forgotten password', () => {
  it('is reset with six digits alone in the browser that requested it', async () => {
    const { browser, code } = await forgetful('simple')
    expect(code).toMatch(/^[0-9]{6}$/)
    expect((await reset(browser, { token: code })).statusCode).toBe(200)
    expect(await canLogin('simple', NEW)).toBe(true)
    expect(await canLogin('simple', 'secret-1')).toBe(false)
  })

  it('ends every session, and clears the cookie of this browser', async () => {
    const { player, code, browser } = await forgetful('everywhere')
    browser.cookie = player.cookie
    const answer = await reset(browser, { token: code })
    expect((await player.get('/api/auth/user')).statusCode).toBe(401)
    expect(browser.cookie).toBeUndefined()
    const cookies = answer.cookies.map(({ name, value }) => `${name}=${value === '' ? '' : 'set'}`).sort()
    expect(cookies).toEqual(['papermoon_known=set', 'papermoon_reset=', 'papermoon_session='])
  })

  it('revokes every API key of the player, and no other player’s', async () => {
    const { player, code, browser } = await forgetful('robbed')
    const other = await server.player('unharmed')
    const createKey = async (owner: Visitor): Promise<string> =>
      (await owner.post('/api/keys', { name: 'bot', scopes: ['read'] })).json().key
    const [planted, foreign] = [await createKey(player), await createKey(other)]
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
    const statusWith = async (key: string) => (await server.visitor().get('/api/auth/user', bearer(key))).statusCode
    expect([await statusWith(planted), await statusWith(foreign)]).toEqual([200, 200])
    await reset(browser, { token: code })
    expect([await statusWith(planted), await statusWith(foreign)]).toEqual([401, 200])
  })

  it('revokes API keys that are created during the reset', async () => {
    const { player, code, browser } = await forgetful('raced')
    const id = await player.id()
    // The event is written after the response, because it would also wait for the transaction.
    await expect.poll(() => countEvents(id, 'reset_requested')).toBe(1)
    // Both calls wait for this transaction, the reset first. The new key's session was still valid when it was checked.
    const answers = await server.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
      const resetting = reset(browser, { token: code })
      await waitForLocked(server.db, 1)
      const making = player.post('/api/keys', { name: 'late', scopes: ['read'] })
      await waitForLocked(server.db, 2)
      return [resetting, making]
    })
    const [done, made] = await Promise.all(answers)
    expect([done?.statusCode, made?.statusCode]).toEqual([200, 401])
    expect(await server.db.selectFrom('api_keys').select('id').where('user_id', '=', id).execute()).toEqual([])
  })

  it('leaves another player’s session in the same browser alone', async () => {
    const { browser, code } = await forgetful('absent')
    browser.cookie = (await server.player('present')).cookie
    await reset(browser, { token: code })
    expect((await browser.get('/api/auth/user')).json()).toMatchObject({ username: 'present' })
  })

  it('binds the code to the browser by a cookie that scripts and other sites cannot use, and stores hashes of both', async () => {
    await server.player('bound')
    const answer = await server.visitor().post('/api/auth/forgot-password', { email: toEmail('bound') })
    const expected = { name: 'papermoon_reset', httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 900 }
    expect(answer.cookies).toMatchObject([expected])
    const rows = await server.db.selectFrom('password_resets').selectAll().execute()
    const stored = JSON.stringify(rows.map((row) => ({ ...row, token_hash: row.token_hash.toString('base64url') })))
    expect(rows.at(-1)?.code_hash).toMatch(/^\$argon2id\$/)
    for (const secret of [`"${answer.json().resetToken}"`, answer.cookies[0]?.value])
      expect(stored).not.toContain(secret)
  })
})

describe('a reset code', () => {
  it('works once, also when it is sent many times concurrently', async () => {
    const { browser, code } = await forgetful('racer')
    const passwords = ['secret-a', 'secret-b', 'secret-c', 'secret-d']
    const answers = await Promise.all(passwords.map((newPassword) => reset(browser, { token: code, newPassword })))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 400, 400, 400])
    const winner = passwords[answers.findIndex((answer) => answer.statusCode === 200)] ?? ''
    expect(await canLogin('racer', winner)).toBe(true)
    expect(toAnswer(await reset(browser, { token: code, email: toEmail('racer') }))).toEqual(INVALID)
  })

  it('revokes all other codes of the player once it is used, also concurrently', async () => {
    const { browser, code } = await forgetful('double')
    const second = server.visitor()
    const secondCode = await askCode(second, 'double')
    const answers = await Promise.all([reset(browser, { token: code }), reset(second, { token: secondCode })])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 400])
  })

  it('is valid for 15 minutes', async () => {
    const punctual = await forgetful('punctual')
    server.passTime(14 * MINUTE_MS)
    expect((await reset(punctual.browser, { token: punctual.code })).statusCode).toBe(200)
    const { browser, code } = await forgetful('late')
    server.passTime(15 * MINUTE_MS + 1)
    expect(toAnswer(await reset(browser, { token: code }))).toEqual(INVALID)
    expect(await canLogin('late', 'secret-1')).toBe(true)
  })

  it('allows five tries, also concurrently, and then stops working in every browser', async () => {
    const patient = await forgetful('patient')
    for (let tries = 0; tries < 4; tries++) await reset(patient.browser, { token: another(patient.code) })
    expect((await reset(patient.browser, { token: patient.code })).statusCode).toBe(200)
    const { browser, code } = await forgetful('hasty')
    await Promise.all(Array.from({ length: 12 }, () => reset(browser, { token: another(code) })))
    const row = await server.db.selectFrom('password_resets').select('tries').orderBy('created_at', 'desc').execute()
    expect(row[0]?.tries).toBe(5)
    expect(toAnswer(await reset(browser, { token: code }))).toEqual(INVALID)
    const elsewhere = await reset(server.visitor(), { token: code, email: toEmail('hasty') })
    expect(toAnswer(elsewhere)).toEqual(INVALID)
  })

  it('does not work in a browser that neither requested it nor sends the email', async () => {
    const { code } = await forgetful('swept')
    expect(toAnswer(await reset(server.visitor(), { token: code }))).toEqual(INVALID)
    const asker = server.visitor()
    await askCode(asker, 'nobody-at-all')
    expect(toAnswer(await reset(asker, { token: code }))).toEqual(INVALID)
  })

  it('works in another browser that sends the email', async () => {
    const { code } = await forgetful('mobile')
    expect(toAnswer(await reset(server.visitor(), { token: code, email: 'somebody-else@x.org' }))).toEqual(INVALID)
    const browser = server.visitor()
    expect((await reset(browser, { token: code, email: toEmail('mobile').toUpperCase() })).statusCode).toBe(200)
    expect(await canLogin('mobile', NEW)).toBe(true)
  })

  it('works with the email of another account than the one this browser requested', async () => {
    const { code } = await forgetful('first-of-two')
    const browser = server.visitor()
    await askCode(browser, 'second-of-two')
    expect((await reset(browser, { token: code, email: toEmail('first-of-two') })).statusCode).toBe(200)
  })

  it('allows other browsers 15 concurrent tries a day without proof of work, which do not use up the owner’s tries', async () => {
    const { browser, code } = await forgetful('besieged')
    const guess = () => reset(server.visitor(), { token: another(code), email: toEmail('besieged') })
    const statuses = (await Promise.all(Array.from({ length: 20 }, guess))).map(({ statusCode }) => statusCode)
    expect(statuses.toSorted()).toEqual([...new Array(15).fill(400), ...new Array(5).fill(429)])
    expect(Number((await guess()).headers['retry-after'])).toBeGreaterThan(86_000)
    expect((await reset(browser, { token: code })).statusCode).toBe(200)
    server.passTime(24 * 60 * MINUTE_MS)
    expect(toAnswer(await guess())).toEqual(INVALID)
  })

  it('invalidates a login with the old password that is under way', async () => {
    const { browser, code } = await forgetful('pursued')
    const credentials = { email: toEmail('pursued'), password: 'secret-1' }
    const [holder, login] = await server.db.transaction().execute(async (tx) => {
      // Use "no key update", because this lock must not block the event of the code request, which is written in the
      // background.
      await sql`select 1 from users where username = 'pursued' for no key update`.execute(tx)
      const answers = [reset(browser, { token: code })]
      await waitForLocked(server.db, 1)
      answers.push(server.visitor().post('/api/auth/login', credentials))
      await waitForLocked(server.db, 2)
      return answers
    })
    expect((await holder)?.statusCode).toBe(200)
    expect((await login)?.statusCode).toBe(401)
  })

  it('is swept after it expires', async () => {
    await forgetful('littering')
    await reset(server.visitor(), { token: '123456', email: toEmail('littering') })
    server.passTime(24 * 60 * MINUTE_MS + 1)
    const fresh = await forgetful('fresh')
    await reset(server.visitor(), { token: '123456', email: toEmail('fresh') })
    await deleteOldRows(server.db, server.app.platform.clock.now())
    const count = async (table: 'password_resets' | 'password_reset_guesses') =>
      (await server.db.selectFrom(table).select('account_key').execute()).length
    expect([await count('password_resets'), await count('password_reset_guesses')]).toEqual([1, 1])
    expect((await reset(fresh.browser, { token: fresh.code })).statusCode).toBe(200)
  })
})

describe('an unknown email', () => {
  it('gets a response of the same form after the same work', async () => {
    await server.player('existing')
    const answers = []
    for (const username of ['existing', 'missing']) {
      const [work, statements] = [await countHashes(server), await resetRows()]
      const answer = await server.visitor().post('/api/auth/forgot-password', { email: toEmail(username) })
      const { resetToken, ...rest } = answer.json()
      const { name, value } = answer.cookies[0] ?? { name: '', value: '' }
      answers.push({
        status: answer.statusCode,
        rest,
        digits: resetToken.length,
        cookie: `${name} ${value.length}`,
        headers: Object.keys(answer.headers).sort(),
        work: (await countHashes(server)) - work,
        rows: (await resetRows()) - statements,
      })
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ status: 200, digits: 6, work: 1, rows: 1 })
  })

  it('is not revealed by a wrong code or by response times', async () => {
    await server.player('there')
    const answers = []
    for (const username of ['there', 'not-there']) {
      const browser = server.visitor()
      await askCode(browser, username)
      const work = await countHashes(server)
      const own = await reset(browser, { token: '000000' })
      const foreign = await reset(server.visitor(), { token: '000000', email: toEmail(username) })
      answers.push([...toAnswer(own), ...toAnswer(foreign), (await countHashes(server)) - work])
    }
    const unasked = await reset(server.visitor(), { token: '000000', email: 'never-asked@x.org' })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[0]).toEqual([...INVALID, ...INVALID, 2])
    expect(toAnswer(unasked)).toEqual(INVALID)
  })
})

async function countEvents(userId: UserId, kind: string): Promise<number> {
  const events = server.db.selectFrom('account_events').select('id').where('user_id', '=', userId)
  return (await events.where('kind', '=', kind).execute()).length
}

async function resetRows(): Promise<number> {
  return (await server.db.selectFrom('password_resets').select('token_hash').execute()).length
}
