import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrateToLatest } from '@papermoon/db'
import { createBareDatabase, migrations, type TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { createTestServer, type TestServer, type Visitor } from '../support/test-server.ts'
import { keys, knownBrowser, LEFT_AT, logins, reset, sessions, tokens } from './visitors.ts'

const BEFORE = '0060-fair-networks.compatible'
const MARKET = join(import.meta.dirname, 'market.sql')
const ORIGIN = 'https://papermoon.example'

type Row = Readonly<Record<string, string | null>>

let database: TestDatabase
let server: TestServer
let applied: readonly string[]
const before = new Map<string, readonly Row[]>()
const after = new Map<string, readonly Row[]>()
beforeAll(async () => {
  database = await createBareDatabase()
  const old = Object.entries(migrations).filter(([name]) => name <= BEFORE)
  await migrateToLatest(database.db, Object.fromEntries(old))
  await database.pool.query(await readFile(MARKET, 'utf8'))
  for (const table of await tableNames()) before.set(table, await findRows(table, await findColumns(table)))
  applied = await migrateToLatest(database.db)
  for (const [table, rows] of before) after.set(table, await findRows(table, Object.keys(rows[0] ?? {})))
  server = await createTestServer({ database, env: { PUBLIC_URL: ORIGIN } })
  server.passTime(LEFT_AT.getTime() + 30_000 - Date.now())
}, 240_000)
afterAll(() => server?.close())

async function tableNames(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%'`.execute(database.db)
  return rows.map((row) => row.name)
}

async function findColumns(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
     where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(database.db)
  return rows.map((row) => row.name)
}

/** Returns all rows of a table as sorted text. */
async function findRows(table: string, columns: readonly string[]): Promise<Row[]> {
  if (columns.length === 0) return []
  const texts = columns.map((name) => sql`${sql.ref(name)}::text as ${sql.ref(name)}`)
  const { rows } = await sql<Row>`select ${sql.join(texts)} from ${sql.table(table)}`.execute(database.db)
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .map((text) => JSON.parse(text))
}

/** Returns a browser with a session of the previous build, whose cookie has no prefix until it is replaced. */
function signedIn(token: string): Visitor {
  const known = browsers.get(token)
  if (known !== undefined) return known
  const visitor = server.visitor()
  visitor.cookie = `papermoon_session=${token}`
  browsers.set(token, visitor)
  return visitor
}
const browsers = new Map<string, Visitor>()

/** Returns the browser of a player's first session. */
function player(name: string): Visitor {
  const [token = ''] = sessions.find(([, username]) => username === name) ?? []
  return signedIn(token)
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const audited = () => runCommand('audit', [], { DATABASE_URL: database.connectionString })

describe('an upgrade from the previous build', () => {
  it('runs every migration since, on a market with rows in every table of players', () => {
    expect(applied).toEqual(Object.keys(migrations).filter((name) => name > BEFORE))
    const filled = [...before].filter(([, rows]) => rows.length > 0).map(([table]) => table)
    expect(filled).toEqual(
      expect.arrayContaining([
        ...['users', 'accounts', 'grants', 'sessions', 'api_keys', 'password_resets'],
        ...['tokens', 'pools', 'holdings', 'trades', 'rugs', 'closed_candles'],
        ...['giveaway_windows', 'window_winners', 'audits', 'head_publications', 'published_heads'],
      ]),
    )
  })

  it('keeps every row and every figure', () => {
    for (const [table, rows] of before) expect([table, after.get(table)]).toEqual([table, rows])
  })

  it('keeps the books exact', async () => {
    expect(await audited()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3 tokens, 15 trades, 5 players: every sum is exact'),
    })
  })
})

describe('after the upgrade', () => {
  it.each(sessions)('keeps the session of %s', async (token, username) => {
    const visitor = signedIn(token)
    const answer = await visitor.get('/api/auth/user')
    expect([answer.statusCode, answer.json().username]).toEqual([200, username])
    // The cookie was replaced by one with the prefix, which also works.
    expect([visitor.cookie, visitor.cookies.has('__Host-papermoon_session')]).toEqual([undefined, true])
    expect((await visitor.get('/api/auth/user')).json().username).toBe(username)
  })

  it.each(logins)('%s logs in with their password and name', async (email, password, name) => {
    const visitor = server.visitor()
    const answer = await visitor.post('/api/auth/login', { email, password })
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }])
    expect((await visitor.get('/api/auth/user')).json().username).toBe(name)
  })

  it('a trusted browser is still trusted', async () => {
    const owner = server.visitor()
    owner.cookies.set('papermoon_known', `papermoon_known=${knownBrowser}`)
    const answer = await owner.post('/api/auth/login', { email: 'ada@papermoon.example', password: 'secret-1' })
    expect(answer.statusCode).toBe(200)
    const mark = owner.cookies.get('__Host-papermoon_known')?.split('=')[1]
    expect(mark).toMatch(/^[\w-]{38}$/)
  })

  it('API keys keep their scopes', async () => {
    const guest = server.visitor()
    for (const [key, username] of [
      [keys.trade, 'ada'],
      [keys.read, 'Mоon 🌙 Ⅷ'],
    ] as const)
      expect((await guest.get('/api/auth/user', bearer(key))).json().username).toBe(username)
    const order = { tokenId: tokens.moon, solAmount: '0.5' }
    expect((await guest.post('/api/tokens/buy', order, bearer(keys.trade))).statusCode).toBe(200)
    expect((await guest.post('/api/tokens/buy', order, bearer(keys.read))).statusCode).toBe(403)
    const { body } = await player('ada').get('/api/keys')
    expect(body).toContain('ada’s bot')
  })

  it('a repeated order gets its first response and trades once', async () => {
    const trades = async () => (await server.visitor().get(`/api/tokens/${tokens.moon}`)).json().totalTrades
    const count = await trades()
    const headers = { 'idempotency-key': 'ada-first' }
    const order = { tokenId: tokens.moon, solAmount: '1' }
    const answer = await player('ada').post('/api/tokens/buy', order, headers)
    expect([answer.statusCode, answer.json().tokensOut]).toEqual([200, '7813760.95701'])
    expect(await trades()).toBe(count)
  })

  it('players, tokens and their links are unchanged', async () => {
    const guest = server.visitor()
    const profiles = await Promise.all(
      [1, 2, 3, 4, 5].map(async (id) => (await guest.get(`/api/users/${id}/profile`)).json().user.username),
    )
    expect(profiles).toEqual(['ada', 'admin', 'Mоon 🌙 Ⅷ', 'eve', 'gone'])
    expect((await guest.get(`/api/tokens/${tokens.moon}`)).json()).toMatchObject({
      name: 'Paper Moon',
      x: 'https://elsewhere.example/moon',
      creator: { username: 'ada' },
    })
    expect((await guest.get(`/api/tokens/${tokens.rugged}`)).json().ruggedAt).toMatch(/^2024-05-/)
    expect((await guest.get(`/api/tokens/${tokens.hidden}`)).statusCode).toBe(404)
    expect((await player('eve').get('/api/auth/user')).json().warning).toBe('Be nice.')
  })

  it('recorded winners are listed, without data that was not recorded at that time', async () => {
    const list = await runCommand('admin', ['winners', '2024-05-06T00:00Z'], {
      DATABASE_URL: database.connectionString,
    })
    expect(list.stdout.split('\r\n')[1]).toMatch(
      /,1,1,"ada","So1+","7\.580787488",2,4,"","","","2024-05-06T01:40:[\d.]+Z",4,"no","the account is not older than a day",""$/,
    )
  })

  it('a reset code requested before works in its browser', async () => {
    const browser = server.visitor()
    browser.cookies.set('papermoon_reset', `papermoon_reset=${reset.token}`)
    const newPassword = 'forty-two paper moons'
    const answer = await browser.post('/api/auth/reset-password', { token: reset.code, newPassword })
    expect([answer.statusCode, answer.body]).toEqual([200, '{"ok":true}'])
    const login = await server.visitor().post('/api/auth/login', { email: reset.email, password: newPassword })
    expect(login.statusCode).toBe(200)
  })

  it('the market continues with trades, launches and a rug pull, and exact books', async () => {
    const [ada, eve] = [player('ada'), player('eve')]
    const fresh = await eve.launch({ name: 'After', symbol: 'AFTER', initialBuyAmount: '2' })
    for (const tokenId of [tokens.moon, fresh])
      expect((await ada.post('/api/tokens/buy', { tokenId, solAmount: '3' })).statusCode).toBe(200)
    const { amount } = (await ada.get(`/api/tokens/${tokens.moon}/position`)).json()
    const sale = await ada.post('/api/tokens/sell', { tokenId: tokens.moon, tokenAmount: amount })
    expect(sale.statusCode).toBe(200)
    expect((await eve.post(`/api/tokens/${fresh}/rug`, {})).statusCode).toBe(200)
    expect(await audited()).toMatchObject({ code: 0, stdout: expect.stringContaining('every sum is exact') })
  })
})
