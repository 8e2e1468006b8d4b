import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountEventKinds } from '@papermoon/contract/account'
import type { UserId } from '@papermoon/engine'
import { describe, expect, it } from 'vitest'
import { deleteOldRows, RECORDS_STORED_MS } from '../../../src/delete-old-rows.ts'
import {
  type AccountEvent,
  describeBrowser,
  logUnlogged,
  recordAccountEvent,
  recordOperatorEvent,
} from '../../../src/features/account/records/account-events.ts'
import { shareTestServer } from '../../support/test-server.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const HOUR_MS = 3_600_000

const server = await shareTestServer({ env: { SHOW_RESET_CODES: 'on' } })
// Start at noon, because events are merged by hour and day.
server.passToNoon()

const caller = { ip: '203.0.113.7', userAgent: FIREFOX }
const record = (event: AccountEvent, from: typeof caller | null = caller) => recordAccountEvent(server.app, from, event)
const findEvents = (userId: UserId, kind: string) =>
  server.db.selectFrom('account_events').selectAll().where('user_id', '=', userId).where('kind', '=', kind).execute()
const findLines = (userId: UserId) => server.logs.filter((line) => 'userId' in line && line.userId === userId)

describe('an account event', () => {
  it('is a row with time, address and browser, and a line of the security log', async () => {
    const userId = await (await server.player()).id()
    await record({ userId, kind: 'key_made', detail: { name: 'bot' } })
    expect(await findEvents(userId, 'key_made')).toMatchObject([
      { address: '203.0.113.7', browser: 'Firefox 128 on Linux', detail: { name: 'bot' }, times: 1 },
    ])
    expect(findLines(userId)).toContainEqual({
      level: 30,
      time: expect.any(Number),
      pid: expect.any(Number),
      hostname: expect.any(String),
      security: true,
      kind: 'key_made',
      userId,
      ip: '203.0.113.7',
      browser: 'Firefox 128 on Linux',
      detail: { name: 'bot' },
      msg: 'security: key_made',
    })
  })

  it('is written only if its transaction commits', async () => {
    const userId = await (await server.player()).id()
    const failed = server.db.transaction().execute(async (tx) => {
      await recordAccountEvent(server.app, caller, { userId, kind: 'wallet_changed' }, tx)
      throw new Error('undone')
    })
    await expect(failed).rejects.toThrow('undone')
    expect(await findEvents(userId, 'wallet_changed')).toEqual([])
  })

  it('that cannot be written is logged, and the call succeeds', async () => {
    const nobody = 999_999 as UserId
    await record({ userId: nobody, kind: 'email_changed' })
    expect(server.logs).toContainEqual(
      expect.objectContaining({ level: 50, msg: 'an account event could not be recorded', kind: 'email_changed' }),
    )
  })

  it('that strangers cause is one row per hour with a count', async () => {
    const userId = await (await server.player()).id()
    for (let count = 0; count < 5; count++) await record({ userId, kind: 'sign_in_refused' })
    expect(await findEvents(userId, 'sign_in_refused')).toMatchObject([{ times: 5 }])
    server.passTime(HOUR_MS)
    await record({ userId, kind: 'sign_in_refused' })
    const times = (await findEvents(userId, 'sign_in_refused')).map((event) => event.times)
    expect(times.sort()).toEqual([1, 5])
  })

  it('is counted exactly if many happen at the same moment', async () => {
    const userId = await (await server.player()).id()
    await Promise.all(Array.from({ length: 20 }, () => record({ userId, kind: 'sign_in_refused' })))
    expect(await findEvents(userId, 'sign_in_refused')).toMatchObject([{ times: 20 }])
  })

  it('that the player causes adds a bounded number of rows per day', async () => {
    const userId = await (await server.player()).id()
    for (let count = 0; count < 230; count++) {
      await record({ userId, kind: 'key_made', detail: { name: `bot ${count}` } })
    }
    const events = await findEvents(userId, 'key_made')
    expect(events.length).toBeLessThanOrEqual(201)
    expect(events.reduce((sum, { times }) => sum + times, 0)).toBe(230)
  })

  it('is kept for 90 days', async () => {
    const userId = await (await server.player()).id()
    await record({ userId, kind: 'password_changed' })
    const now = server.app.platform.clock.now().getTime()
    await deleteOldRows(server.db, new Date(now + RECORDS_STORED_MS - HOUR_MS))
    expect(await findEvents(userId, 'password_changed')).toHaveLength(1)
    await deleteOldRows(server.db, new Date(now + RECORDS_STORED_MS + HOUR_MS))
    expect(await findEvents(userId, 'password_changed')).toEqual([])
  })
})

describe('the security log', () => {
  it('bounds refusals per address, kind and minute, and logs how many it left out', async () => {
    const before = server.logs.length
    server.passTime(60_000)
    const refuse = (ip: string) => server.app.accounts.securityLog.refused({ kind: 'cross_origin', userId: null, ip })
    for (let count = 0; count < 1_000; count++) refuse('198.51.100.1')
    // The limit of one address does not affect another address.
    refuse('198.51.100.2')
    for (let host = 0; host < 250; host++) refuse(`192.0.2.${host}`)
    server.passTime(60_000)
    refuse('198.51.100.3')
    const lines = server.logs.slice(before).filter((line) => line.msg === 'security: cross_origin')
    const suppressed = lines.flatMap((line) => ('suppressed' in line ? [Number(line.suppressed)] : []))
    expect(lines.length).toBeLessThanOrEqual(62)
    expect(lines).toContainEqual(expect.objectContaining({ ip: '198.51.100.2' }))
    expect(lines.length - 1 + (suppressed[0] ?? 0)).toBe(1_252)
  })
})

describe('browserName', () => {
  it.each([
    [FIREFOX, 'Firefox 128 on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari 17 on iOS',
    ],
    ['curl/8.5.0', 'curl 8'],
    ['<script>alert(1)</script>', 'unknown browser'],
    ['', 'unknown browser'],
    [null, 'unknown browser'],
  ])('says %j as %j', (userAgent, name) => {
    expect(describeBrowser(userAgent)).toBe(name)
  })

  it('returns short plain text for any input', () => {
    for (const text of ['Chrome/'.repeat(500), `${'a'.repeat(9_000)}/1`, '\u202eevil/1', 'x/1 <img src=x>']) {
      expect(describeBrowser(text)).toMatch(/^[\w. -]{1,60}$/)
    }
  })
})

describe('signing in and out', () => {
  const credentials = (name: string) => ({ email: `${name}@papermoon.example`, password: 'secret-1' })
  const findKinds = async (userId: UserId) => {
    const rows = await server.db
      .selectFrom('account_events')
      .select('kind')
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
    return rows.map((row) => row.kind)
  }

  it('is recorded, including refusals', async () => {
    const player = await server.player('recorded')
    const userId = await player.id()
    await player.raw('POST', '/api/auth/logout', '')
    await server.visitor().post('/api/auth/login', { ...credentials('recorded'), password: 'wrong-1' })
    await server.visitor().post('/api/auth/login', credentials('recorded'))
    await expect
      .poll(async () => (await findKinds(userId)).sort())
      .toEqual(['registered', 'sign_in_refused', 'signed_in', 'signed_out'])
  })

  it('with an unknown email is only logged', async () => {
    await server.visitor().post('/api/auth/login', { email: 'nobody@papermoon.example', password: 'wrong-1' })
    const line = server.logs.findLast((entry) => entry.msg === 'security: sign_in_refused')
    expect(line).toMatchObject({ level: 40, userId: null, security: true })
    expect(JSON.stringify(line)).not.toContain('nobody@')
  })
})

describe('a reset', () => {
  it('is recorded when it is requested, refused and completed', async () => {
    const userId = await (await server.player('resetter')).id()
    const visitor = server.visitor()
    const asked = await visitor.post('/api/auth/forgot-password', { email: 'resetter@papermoon.example' })
    const token: string = asked.json().resetToken
    const wrong = token === '000000' ? '000001' : '000000'
    await visitor.post('/api/auth/reset-password', { token: wrong, newPassword: 'secret-22' })
    await visitor.post('/api/auth/reset-password', { token, newPassword: 'secret-22' })
    const events = server.db.selectFrom('account_events').select('kind').where('user_id', '=', userId)
    await expect
      .poll(async () => (await events.execute()).map((row) => row.kind).sort())
      .toEqual(['password_reset', 'registered', 'reset_refused', 'reset_requested'])
    // No log line contains the code, the password or the address.
    expect(JSON.stringify(server.logs)).not.toMatch(new RegExp(`${token}"|secret-22|resetter@`))
  })
})

describe('an API key', () => {
  it('is recorded by name when it is created and revoked', async () => {
    const player = await server.player()
    const userId = await player.id()
    const { id } = (await player.post('/api/keys', { name: 'my bot', scopes: ['read'] })).json()
    await player.raw('DELETE', `/api/keys/${id}`, '')
    expect(await findEvents(userId, 'key_made')).toMatchObject([{ detail: { name: 'my bot', scopes: 'read' } }])
    expect(await findEvents(userId, 'key_revoked')).toMatchObject([{ detail: { name: 'my bot' } }])
  })
})

describe('an attempt to get past a control', () => {
  const findLine = (kind: string) => server.logs.findLast((entry) => entry.msg === `security: ${kind}`)

  it('from a page of another site is logged', async () => {
    await server.visitor().post('/api/auth/logout', {}, { origin: 'https://evil.example' })
    expect(findLine('cross_origin')).toMatchObject({ detail: { path: '/api/auth/logout' }, ip: '127.0.0.1' })
  })

  it('with an invalid key, or one without the scope, is logged', async () => {
    const player = await server.player()
    const { key } = (await player.post('/api/keys', { name: 'reader', scopes: ['read'] })).json()
    await server.visitor().get('/api/portfolio', { authorization: 'Bearer pm_nothing' })
    expect(findLine('key_invalid')).toMatchObject({ level: 40, detail: { path: 'portfolio.get' } })
    await server.visitor().post('/api/tokens/buy', { tokenId: 1, solAmount: '1' }, { authorization: `Bearer ${key}` })
    expect(findLine('key_not_allowed')).toMatchObject({ level: 40, detail: { path: 'trading.buy' } })
    expect(JSON.stringify(server.logs)).not.toContain(key)
  })

  it('at another player’s data is logged', async () => {
    const player = await server.player()
    await player.get('/api/portfolio?userId=999999')
    expect(findLine('not_yours')).toMatchObject({ detail: { path: 'portfolio.get' } })
  })
})

describe('account.events', () => {
  it('lists the events of the player’s own account, newest first', async () => {
    const player = await server.player()
    await server.player()
    const userId = await player.id()
    await record({ userId, kind: 'key_made', detail: { name: 'bot' } })
    const answer = await player.get('/api/account/events')
    expect([answer.statusCode, answer.headers.link]).toEqual([200, undefined])
    expect(answer.json()).toEqual([
      {
        id: expect.any(Number),
        kind: 'key_made',
        at: expect.any(String),
        times: 1,
        address: '203.0.113.7',
        browser: 'Firefox 128 on Linux',
        detail: { name: 'bot' },
      },
      expect.objectContaining({ kind: 'registered', address: '127.0.0.1', detail: {} }),
    ])
  })

  it('is paged without repeated or missing events', async () => {
    const player = await server.player()
    const userId = await player.id()
    // The events have the same time, so that pages also split equal times.
    await Promise.all(Array.from({ length: 12 }, (_, count) => record({ userId, kind: 'key_made', detail: { count } })))
    const seen: number[] = []
    let url: string | undefined = '/api/account/events?limit=5'
    while (url !== undefined) {
      const page = await player.get(url)
      expect(page.json().length).toBeLessThanOrEqual(5)
      seen.push(...page.json().map(({ id }: { id: number }) => id))
      url = /^<(.+)>; rel="next"$/.exec(String(page.headers.link))?.[1]
    }
    expect(new Set(seen).size).toBe(13)
    expect(seen).toHaveLength(13)
  })

  it('omits events older than 90 days, even before the sweep', async () => {
    const player = await server.player('ancient')
    server.passTime(RECORDS_STORED_MS + HOUR_MS)
    await player.post('/api/auth/login', { email: 'ancient@papermoon.example', password: 'secret-1' })
    const kinds = (await player.get('/api/account/events')).json().map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['signed_in'])
  })
})

describe('the kinds of events', () => {
  it('all have a text on the screens', () => {
    const text = readFileSync(
      join(import.meta.dirname, '../../../../web/src/features/settings/security/records/event-text.ts'),
      'utf8',
    )
    // Nobody sees the event of a deletion, because the account is gone.
    const shown = accountEventKinds.filter((kind) => kind !== 'deleted')
    expect(shown.filter((kind) => !text.includes(`\n  ${kind}: `))).toEqual([])
  })
})

describe('what an operator’s command did', () => {
  it('is recorded by the command, and logged by one server', async () => {
    const userId = await (await server.player()).id()
    await recordOperatorEvent(server.db, { userId, kind: 'suspended', detail: { reason: 'bots' } })
    const heard: string[] = []
    const listen = () => logUnlogged(server.db, ({ userId: whose, kind }) => void heard.push(`${kind} ${whose}`))
    await Promise.all([listen(), listen()])
    await listen()
    // The server's own job may have logged the event before.
    await expect
      .poll(async () => await findEvents(userId, 'suspended'))
      .toMatchObject([{ address: null, detail: { reason: 'bots', by: 'operator' }, is_logged: true }])
    const lines = findLines(userId).filter((line) => line.msg === 'security: suspended')
    expect(heard.length + lines.length).toBe(1)
  })
})
