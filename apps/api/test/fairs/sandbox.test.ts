import { CHARACTERS } from '@papermoon/bots'
import type { Order, UserId } from '@papermoon/engine'
import { aToken } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { addFairTerms } from '../../src/features/fairs/fair-account.ts'
import { removeOldSandboxes } from '../../src/features/fairs/keep-fairs.ts'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import { startFairBots } from '../../src/house/fair-bots.ts'
import { becomes } from '../support/fairs.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const SOON = { timeout: 120_000, interval: 50 }
const JSON_TYPE = { 'content-type': 'application/json' }

let player: Visitor
let key: string
const server = await shareTestServer()
await createHouseBots(server.db, CHARACTERS, { at: new Date() })
beforeEach(async () => {
  player = await server.player()
  key = await createKey(player, ['read', 'trade'])
})

async function createKey(owner: Visitor, scopes: readonly string[]): Promise<string> {
  const answer = await owner.post('/api/keys', { name: 'program', scopes })
  expect(answer.statusCode).toBe(201)
  return answer.json().key
}

const call = (method: 'POST' | 'PUT', url: string, body: object, by = key) =>
  server.visitor().raw(method, url, JSON.stringify(body), { ...JSON_TYPE, authorization: `Bearer ${by}` })
const create = (settings: object = {}, by = key) =>
  call('POST', '/api/fairs', { kind: 'sandbox', name: 'My tests', minutes: 60, ...settings }, by)
const end = (id: number) => call('PUT', `/api/fairs/${id}`, { act: 'end' })
const isThere = async (id: number) => (await player.get(`/api/fairs/${id}`)).statusCode === 200

async function countRows(id: number): Promise<Record<string, number>> {
  const ofToken = sql`token_id in (select id from fairs.tokens where fair_id = ${id})`
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from fairs where id = ${id}) as fairs,
      (select count(*)::int from fairs.accounts where fair_id = ${id}) as accounts,
      (select count(*)::int from fairs.tokens where fair_id = ${id}) as tokens,
      (select count(*)::int from fairs.pools where ${ofToken}) as pools,
      (select count(*)::int from fairs.trades where ${ofToken}) as trades,
      (select count(*)::int from fairs.holdings where ${ofToken}) as holdings,
      (select count(*)::int from fair_results where fair_id = ${id}) as results`.execute(server.db)
  return rows[0] ?? {}
}

describe('a sandbox', () => {
  it('has its bots’ tokens, even if only its host can launch more', async () => {
    const settings = { kind: 'sandbox', name: 'Mine', minutes: 5, bots: 2, launches: 'host' }
    const { fair } = (await call('POST', '/api/fairs', settings)).json()
    const { rows } = await sql`select house_tokens from fairs where id = ${fair.id}`.execute(server.db)
    expect(rows).toEqual([{ house_tokens: 3 }])
  })

  it('opens at once with its player in it, and only a key that can trade can create it', async () => {
    const { fair } = (await create()).json()
    expect([fair.state, fair.entrants, fair.me.balance]).toEqual(['open', 1, '100'])
    const bySession = await player.post('/api/fairs', { kind: 'sandbox', name: 'By hand' })
    expect([bySession.statusCode, bySession.body]).toEqual([
      409,
      'A sandbox is for programs. Create it with an API key that can trade.',
    ])
    expect((await create({}, await createKey(player, ['read', 'market']))).statusCode).toBe(403)
    const stranger = await createKey(await server.player(), ['read', 'trade'])
    expect((await call('POST', `/api/fairs/${fair.id}/enter`, {}, stranger)).statusCode).toBe(404)
  })

  it('can be traded over REST with the key, in its own money', async () => {
    const { id } = (await create()).json().fair
    const launch = { name: 'Paper Star', symbol: 'STAR', emoji: '⭐', fairId: id, initialBuyAmount: '5' }
    const tokenId = (await call('POST', '/api/tokens/launch', launch)).json().id
    const bought = await call('POST', '/api/tokens/buy', { tokenId, solAmount: '10' })
    expect(bought.json().position.balance).toBe('84.98')
    expect((await player.get('/api/auth/user')).json().solBalance).toBe('100')
  })

  it('has a lower priority for its orders than other markets', async () => {
    const { fairs } = server.app.market
    if (fairs === undefined) throw new Error('no market of fairs')
    const userId = Number((await player.get('/api/auth/user')).json().id) as UserId
    const waits = async (fairId: number) => {
      const order: Order = { kind: 'launch', userId, token: aToken }
      return (await addFairTerms(fairs, { order, fairId, isProgram: true })).waitsForOthers ?? false
    }
    const room = (await player.post('/api/fairs', { kind: 'room', name: 'Room' })).json().fair
    await call('POST', `/api/fairs/${room.id}/enter`, {})
    expect([await waits((await create()).json().fair.id), await waits(room.id)]).toEqual([true, false])
  })

  it('is limited to one per player and 20 per server', async () => {
    const { id } = (await create()).json().fair
    await sql`
      insert into fairs (kind, name, host_id, stake, lobby_at, starts_at, ends_at, secret, entrants_max, state)
      select 'sandbox', 'Full', (select min(id) from users where kind = 'house'), 100, now(), now() + n * interval '1 second', now() + interval '1 day', '', 1, 'open'
        from generate_series(1, 20) n`.execute(server.db)
    try {
      const second = await create()
      expect([second.statusCode, second.json().detail]).toEqual([
        422,
        'You already host 1 sandbox. Please end one of your fairs first.',
      ])
      await end(id)
      const full = await create()
      expect([full.statusCode, full.json().detail]).toEqual([
        422,
        'This server already has 20 open sandboxes, which is the maximum. Please try again when one of them has ended.',
      ])
    } finally {
      await sql`delete from fairs where name = 'Full'`.execute(server.db)
    }
  })

  it('has up to ten bots that trade the house’s tokens, faster at a higher speed', async () => {
    for (const settings of [{ bots: 11 }, { speed: 61 }, { speed: 0 }, { minutes: 1_441 }])
      expect((await create(settings)).statusCode).toBe(400)
    const { fair } = (await create({ bots: 10, speed: 60 })).json()
    expect([fair.bots, fair.entrants]).toEqual([10, 11])
    // Launches the house's tokens. Otherwise nobody trades if none of the ten bots, which are drawn, launches one.
    await sql`update fairs set seen_at = seen_at - interval '6 seconds' where id = ${fair.id}`.execute(server.db)
    await server.tick('fairs')
    expect((await countRows(fair.id)).tokens).toBe(3)
    const node = startFairBots({ app: server.app, pool: server.database.pool, writeLine: async () => {} })
    try {
      const countTrades = async () => (await countRows(fair.id)).trades
      await expect.poll(countTrades, SOON).toBeGreaterThan(60)
    } finally {
      await node.stop()
    }
  })

  it('is kept with its ranking, exports and orders for 90 days, until five newer ones of its player have ended', async () => {
    const other = (await create({}, await createKey(await server.player(), ['read', 'trade']))).json().fair.id
    const { id } = (await create({ bots: 2 })).json().fair
    const launch = { name: 'Paper Star', symbol: 'STAR', fairId: id, initialBuyAmount: '5' }
    const byKey = { ...JSON_TYPE, 'idempotency-key': 'first', authorization: `Bearer ${key}` }
    const place = () => server.visitor().raw('POST', '/api/tokens/launch', JSON.stringify(launch), byKey)
    const tokenId = (await place()).json().id
    const { accounts, tokens, trades, holdings } = await countRows(id)
    expect([accounts, trades, holdings]).toEqual([3, 1, 1])
    expect(tokens).toBeGreaterThan(0)
    const endAndWait = async (fairId: number) => {
      await end(fairId)
      await becomes(server, player, fairId, { state: 'settled' })
    }
    await endAndWait(id)
    const later: number[] = []
    for (let n = 0; n < 5; n++) {
      const made = (await create()).json().fair.id
      const reads = [`/api/fairs/${id}/ranking`, `/api/exports/fairs/${id}/trades.csv`, '/api/orders/first']
      for (const url of reads) expect([url, (await player.get(url)).statusCode]).toEqual([url, 200])
      expect((await place()).json().id).toBe(tokenId)
      expect((await call('POST', '/api/tokens/buy', { tokenId, solAmount: '1' })).json().code).toBe('FAIR_ENDED')
      await endAndWait(made)
      later.push(made)
    }
    await removeOldSandboxes(server.db)
    expect([await isThere(id), (await countRows(other)).fairs]).toEqual([false, 1])
    expect(new Set(Object.values(await countRows(id)))).toEqual(new Set([0]))
    for (const kept of later) expect(await isThere(kept)).toBe(true)
    const { rows } = await sql`select from fairs.trades where token_id = ${tokenId}`.execute(server.db)
    expect(rows).toEqual([])
    expect((await call('POST', '/api/tokens/buy', { tokenId, solAmount: '1' })).statusCode).toBe(404)
    await sql`update fairs set settled_at = now() - interval '91 days' where id = ${later[4]}`.execute(server.db)
    await removeOldSandboxes(server.db)
    expect(await Promise.all(later.map(isThere))).toEqual([true, true, true, true, false])
  })
})
