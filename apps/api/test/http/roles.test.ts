import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@papermoon/db'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openEventSource } from '../support/event-source.ts'
import { aPng } from '../support/pictures.ts'
import { createTestServer, openSocket, type TestServer, Visitor } from '../support/test-server.ts'
import { put } from '../support/uploader.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

let database: TestDatabase
let folder: string
let orders: TestServer
let reads: TestServer
let origin: string
let tokenId: number

/** Two nodes of one machine: one leads, the other has the role `reads` and the same data folder. */
beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'papermoon-roles-'))
  const pools = [1, 2].map(() => connect(database.address, { poolMax: 12 }))
  const [first, second] = pools.map((pool) => ({ ...database, ...pool, drop: () => pool.close() }))
  const env = { ENGINE_LISTEN: '127.0.0.1:0', DATA_DIR: folder, METRICS: 'open' }
  orders = await createTestServer({ database: first as TestDatabase, env: { ...env, ROLE: 'orders' } })
  reads = await createTestServer({ database: second as TestDatabase, env: { ...env, ROLE: 'reads' } })
  origin = `http://127.0.0.1:${await reads.listen()}`
  await vi.waitFor(async () => expect(await readMetric(reads, 'papermoon_engine_is_linked')).toBe(1), WAIT_MAX_MS)
  tokenId = await (await reads.player('maker')).launch()
})
afterAll(async () => {
  await reads?.close()
  await orders?.close()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function readMetric(server: TestServer, name: string): Promise<number> {
  const { body } = await server.visitor().get('/metrics')
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1])
}

/** The same browser at another node. */
function at(server: TestServer, player: Visitor): Visitor {
  const same = new Visitor(server.fastify)
  same.cookie = player.cookie
  for (const [name, cookie] of player.cookies) same.cookies.set(name, cookie)
  return same
}

const buy = async (player: Visitor) => await player.post('/api/tokens/buy', { tokenId, solAmount: '0.5' })

describe('a node with the role reads', () => {
  it('signs players in for every node, and out', async () => {
    const player = await reads.player('mia')
    expect((await at(orders, player).get('/api/auth/user')).json().username).toBe('mia')
    expect((await at(orders, player).post('/api/auth/logout', {})).statusCode).toBeLessThan(300)
    reads.passTime(5_000)
    expect((await player.get('/api/auth/user')).statusCode).toBe(401)
  })

  it('passes orders on to the leader, with their refusals, and reads them at once', async () => {
    const player = await reads.player('ann')
    const before = await readMetric(reads, 'papermoon_orders_forwarded_total')
    const bought = await buy(player)
    expect(bought.statusCode).toBe(200)
    expect((await player.get(`/api/tokens/${tokenId}`)).json().seq).toBe(bought.json().trade.seq)
    const refused = await player.post('/api/tokens/buy', { tokenId, solAmount: '5000' })
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain('Insufficient balance: you have 99.5 SOL')
    expect(await readMetric(reads, 'papermoon_orders_forwarded_total')).toBe(before + 2)
    expect(await readMetric(orders, 'papermoon_engine_is_leading')).toBe(1)
  })

  it('brings the trades of other nodes to its sockets and streams', async () => {
    const player = await orders.player('leo')
    const socket = await openSocket(`${origin.replace('http', 'ws')}/ws`)
    const stream = await openEventSource(`${origin}/api/events`)
    const subscription = await openSocket(`${origin.replace('http', 'ws')}/trpc`)
    const input = { json: { tokenId } }
    subscription.send({ id: 1, method: 'subscription', params: { path: 'live.token', input } })
    expect(await subscription.next()).toMatchObject({ result: { type: 'started' } })
    const { trade } = (await buy(player)).json()
    for (;;) {
      const message = (await socket.next()) as { type?: string; trade?: { id: number } }
      if (message.type === 'trade' && message.trade?.id === trade.id) break
    }
    await stream.until(() => stream.events.some(({ data }) => data?.trade?.id === trade.id))
    while (!JSON.stringify(await subscription.next()).includes(`"seq":${trade.seq}`));
    socket.socket.close()
    subscription.socket.close()
    stream.close()
  })

  it('takes uploads that every node of the data folder shows', async () => {
    const player = await reads.player('zoe')
    const asked = await player.raw('POST', '/api/objects/upload', '', { host: new URL(origin).host })
    const url: string = asked.json().uploadURL
    expect((await put(url, await aPng())).status).toBe(200)
    const taken = await player.raw('PUT', '/api/users/profile-picture', JSON.stringify({ profilePictureUrl: url }), {
      'content-type': 'application/json',
    })
    expect(taken.statusCode).toBe(200)
    const { profilePictureUrl } = (await at(orders, player).get('/api/auth/user')).json()
    expect((await orders.visitor().get(profilePictureUrl)).statusCode).toBe(200)
  })
})

describe('a read that must contain what its caller saw elsewhere', () => {
  it('says that it is stale when the journal does not answer within a second', async () => {
    const visitor = reads.visitor()
    const path = `/api/tokens/${tokenId}`
    const { seq } = (await visitor.get(path)).json()
    const seen = { 'papermoon-seen': `${tokenId}.${seq + 1}` }
    // A claim beyond the journal is compared with it, and believed no further.
    const untilFresh = async () =>
      await vi.waitFor(async () => expect((await visitor.get(path, seen)).headers.warning).toBeUndefined(), WAIT_MAX_MS)
    await untilFresh()
    const { promise: locked, resolve: onLocked } = Promise.withResolvers<void>()
    const { promise: over, resolve: unlock } = Promise.withResolvers<void>()
    const transaction = database.db.transaction().execute(async (trx) => {
      await sql`lock table pools in access exclusive mode`.execute(trx)
      onLocked()
      await over
    })
    await locked
    try {
      const beganMs = performance.now()
      const answer = await visitor.get(path, seen)
      expect(performance.now() - beganMs).toBeGreaterThan(900)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers.warning).toBe('110 - "Response is Stale"')
      expect(answer.json().seq).toBe(seq)
    } finally {
      unlock()
      await transaction
    }
    await untilFresh()
  })
})
