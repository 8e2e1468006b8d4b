import { once } from 'node:events'
import { get } from 'node:http'
import { Socket } from 'node:net'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { personalTables } from '../../../src/features/account/deletion/personal-tables.ts'
import { EXPORT_PAGE, exportAccount } from '../../../src/features/account/records/account-export.ts'
import { createUploadKey, toUploadName } from '../../../src/storage/object-store.ts'
import { aPng } from '../../support/pictures.ts'
import { errorsIn, registration, shareTestServer, type Visitor } from '../../support/test-server.ts'

const DAY_MS = 24 * 3_600_000

const server = await shareTestServer()
const port = await server.listen()

const prepare = (player: Visitor) => player.post('/api/account/export', {})
async function download(player: Visitor) {
  const { url } = (await prepare(player)).json()
  return await player.get(url)
}

/** Adds trades to a player that all have the same time. */
async function addTrades(userId: UserId, count: number): Promise<void> {
  await sql`
    insert into trades (id, token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve, token_reserve,
        spot_price, created_at, hash)
    select (select max(id) from trades) + 1000000 + n, token_id, 1000000 + n, user_id, side, sol_amount, fee, token_amount, price, sol_reserve, token_reserve,
           spot_price, created_at, hash
      from (select * from trades where user_id = ${userId} order by id limit 1) t, generate_series(1, ${count}) n`.execute(
    server.db,
  )
}

/** Returns a player with this many extra trades, which all have the same time. */
async function aTrader(trades: number) {
  const player = await server.player()
  const id = await player.id()
  const tokenId = await player.launch({ initialBuyAmount: '1' })
  await addTrades(id, trades)
  return { player, id, tokenId }
}

/** Reads the first bytes of a long export, so that the server must wait before it sends the rest. */
async function beginReading() {
  const { player, id } = await aTrader(60 * EXPORT_PAGE)
  const { url } = (await prepare(player)).json()
  const request = get(`http://127.0.0.1:${port}${url}`, { headers: { cookie: player.cookie ?? '' } })
  const [reader] = await once(request, 'response')
  reader.on('error', () => {})
  onTestFinished(() => reader.destroy())
  await once(reader, 'readable')
  return { player, id, url, reader }
}

/** Returns the reasons of aborted exports. */
function findAborted(): (string | undefined)[] {
  return server.logs.filter(({ msg }) => msg === 'an export broke off').map(({ err }) => err?.message)
}

/** Removes the added trades, so that the next export is short. */
async function removeAddedTrades(userId: UserId): Promise<void> {
  await sql`delete from trades where user_id = ${userId} and seq > 1000000`.execute(server.db)
}

describe('an export', () => {
  it('contains everything stored about the player and nothing about others', async () => {
    const player = await server.player('exporter')
    const other = await server.player('stranger')
    const id = await player.id()
    const tokenId = await player.launch({ initialBuyAmount: '2', description: 'Mine' })
    await player.post('/api/tokens/buy', { tokenId, solAmount: '1' }, { 'idempotency-key': 'my-key' })
    await other.post('/api/tokens/buy', { tokenId, solAmount: '1' })
    await player.raw('POST', `/api/tokens/${tokenId}/rug`, '')
    const { key } = (
      await player.post('/api/keys', { name: 'my bot', scopes: ['read'], networks: ['10.0.0.0/8'] })
    ).json()
    const upload = toUploadName(createUploadKey(id))
    await server.app.platform.objects.write(upload, await aPng(), 'image/png')
    await server.app.platform.objects.write(toUploadName(createUploadKey(await other.id())), await aPng(), 'image/png')

    const answer = await download(player)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="papermoon-account.json"',
      'content-type': 'application/json; charset=utf-8',
    })
    const data = answer.json()
    expect(data).toMatchObject({
      format: 'papermoon-account:1',
      exportedAt: expect.any(String),
      uploads: [upload],
      profile: { id, username: 'exporter', email: 'exporter@papermoon.example', wallet: registration('x').wallet },
      balance: { solBalance: expect.stringMatching(/^\d+\.\d{9}$/) },
      sessions: [{ address: '127.0.0.1', browser: expect.any(String) }],
      apiKeys: [{ name: 'my bot', scopes: ['read'], networks: ['10.0.0.0/8'] }],
      grants: [{ kind: 'register', amount: '100.000000000' }],
      holdings: [{ tokenId, amount: expect.stringMatching(/^\d+\.\d{6}$/) }],
      launches: [{ id: tokenId, name: 'Paper Moon', description: 'Mine' }],
      trades: [
        { tokenId, side: 'buy', solAmount: '2.000000000' },
        { tokenId, side: 'buy', requestKey: 'my-key' },
      ],
      rugs: [{ tokenId }],
      giveawayWins: [],
    })
    expect(data.accountEvents.map(({ kind }: { kind: string }) => kind)).toEqual([
      'registered',
      'key_made',
      'export_made',
    ])
    const sections = personalTables.flatMap(({ section }) => section ?? [])
    expect(Object.keys(data).sort()).toEqual([...sections, 'format', 'exportedAt', 'uploads'].sort())
    expect(answer.body).not.toContain('stranger')
    // The export contains no secrets and no hashes of secrets.
    expect(answer.body).not.toContain(key)
    expect(answer.body).not.toMatch(/argon2|Buffer|hash|token_hash|password/i)
  })

  it('contains each of many trades of one moment once across pages', async () => {
    const { player, id, tokenId } = await aTrader(2 * EXPORT_PAGE + 7)
    const { trades } = (await download(player)).json()
    const ids = new Set(trades.map((trade: { id: number }) => trade.id))
    expect([trades.length, ids.size, trades[0].tokenId]).toEqual([2 * EXPORT_PAGE + 8, 2 * EXPORT_PAGE + 8, tokenId])
    // A last page that is full must work too.
    await sql`delete from trades where user_id = ${id} and seq > ${1_000_000 + EXPORT_PAGE - 1}`.execute(server.db)
    expect((await download(player)).json().trades).toHaveLength(EXPORT_PAGE)
  })

  it('is read page by page while it is sent', async () => {
    const { id } = await aTrader(5 * EXPORT_PAGE)
    let longest = 0
    let text = ''
    for await (const piece of exportAccount(server.app, id)) {
      // The export reads lazily: only the first page of trades is read so far, so the removed trades are missing.
      if (piece.includes('"solAmount"')) await removeAddedTrades(id)
      longest = Math.max(longest, piece.length)
      text += piece
    }
    expect(longest).toBeLessThan(1_000 * EXPORT_PAGE)
    expect(JSON.parse(text).trades).toHaveLength(EXPORT_PAGE)
  })

  it('works only in the session that requested it, for ten minutes', async () => {
    const player = await server.player('owner')
    const { url, expiresAt } = (await prepare(player)).json()
    expect(Date.parse(expiresAt) - server.app.platform.clock.now().getTime()).toBeLessThanOrEqual(600_000)
    const sameOwner = server.visitor()
    const { email, password } = registration('owner')
    await sameOwner.post('/api/auth/login', { email, password })
    const { key } = (await player.post('/api/keys', { name: 'all', scopes: ['read', 'trade'] })).json()
    const refused = 'This download link no longer works. Please request a new one in Settings.'
    for (const visitor of [sameOwner, await server.player()]) {
      const answer = await visitor.get(url)
      expect([answer.statusCode, answer.body]).toEqual([403, refused])
    }
    for (const headers of [undefined, { authorization: `Bearer ${key}` }]) {
      expect((await server.visitor().get(url, headers)).statusCode).toBe(401)
    }
    const later = url.replace(/expires=(\d+)/, (_all: string, ms: string) => `expires=${Number(ms) + 1}`)
    for (const bad of [
      later,
      '/exports/account.json',
      '/exports/account.json?expires=9999999999999&seal=',
      `${url}&seal=x`,
    ]) {
      expect((await player.get(bad)).statusCode).toBe(403)
    }
    expect((await player.get(url)).statusCode).toBe(200)
    server.passTime(600_000)
    expect((await player.get(url)).statusCode).toBe(403)
    expect(errorsIn(server)).toEqual([])
  })

  it('is limited to five per day, also for concurrent calls', async () => {
    const player = await server.player('hoarder')
    const answers = await Promise.all(Array.from({ length: 8 }, () => prepare(player)))
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect([answers.filter(({ statusCode }) => statusCode === 200).length, refused.length]).toEqual([5, 3])
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(23 * 3_600)
    server.passTime(DAY_MS + 1_000)
    const { email, password } = registration('hoarder')
    await player.post('/api/auth/login', { email, password })
    expect((await prepare(player)).statusCode).toBe(200)
  })

  it('is aborted if its reader stalls, so that another export can start', async () => {
    const real = Socket.prototype.setTimeout
    const spy = vi.spyOn(Socket.prototype, 'setTimeout')
    spy.mockImplementation(function (this: Socket, ms, callback) {
      return real.call(this, ms === 30_000 ? 300 : ms, callback)
    })
    onTestFinished(() => spy.mockRestore())
    const { player, id, url } = await beginReading()
    await expect.poll(findAborted, { timeout: 60_000 }).toContain('the client of a download read nothing')
    await removeAddedTrades(id)
    await expect.poll(async () => (await player.get(url)).statusCode).toBe(200)
    expect(spy).toHaveBeenCalledWith(30_000)
    expect(errorsIn(server)).toEqual([])
  })

  it('allows one download at a time, and another once the first reader has disconnected', async () => {
    const { player, id, url, reader } = await beginReading()
    const second = await player.get(url)
    expect([second.statusCode, second.headers['retry-after']]).toEqual([503, '30'])
    reader.destroy()
    await removeAddedTrades(id)
    await expect.poll(async () => (await player.get(url)).statusCode).toBe(200)
    expect(errorsIn(server)).toEqual([])
  })
})
