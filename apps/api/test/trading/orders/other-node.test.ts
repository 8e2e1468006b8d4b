import { connect } from '@papermoon/db'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type BuiltApp, buildApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'
import { registration, Visitor } from '../../support/test-server.ts'
import { WAIT_MAX_MS } from '../../support/wait.ts'

let database: TestDatabase
let nodes: (BuiltApp & { stop(): Promise<void> })[]
let players: Visitor[]
let tokenId: number
beforeAll(async () => {
  database = await createTestDatabase()
  nodes = [await startNode(), await startNode()]
  players = nodes.map(({ fastify }) => new Visitor(fastify))
  const [first, second] = players as [Visitor, Visitor]
  expect((await first.post('/api/auth/register', registration('traveller'))).statusCode).toBe(201)
  second.cookie = first.cookie
  tokenId = await first.launch({ initialBuyAmount: '1' })
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await database.drop()
})

async function startNode() {
  const config = readConfig({ RATE_LIMIT: 'off', ENGINE_LISTEN: '127.0.0.1:0' })
  const client = connect(database.address, { poolMax: 8 })
  const built = await buildApp({ config, database: client, log: pino({ level: 'silent' }) })
  const stop = async () => {
    await built.fastify.close()
    await client.close()
  }
  return { ...built, stop }
}

/** Whether one node forwards to another, by its metrics. */
async function isForwarding(): Promise<boolean> {
  const texts = await Promise.all(nodes.map(({ app }) => app.metrics.metrics()))
  return texts.some((text) => /^papermoon_engine_is_linked 1$/m.test(text))
}

/** Repeats an order that waited too long for its pool. */
async function buy(player: Visitor, key: string) {
  for (;;) {
    const answer = await player.post('/api/tokens/buy', { tokenId, solAmount: '0.1' }, { 'idempotency-key': key })
    if (answer.statusCode !== 503) return answer
  }
}

it('an order under way on one node is pending on every other, and filled once it is answered', async () => {
  await vi.waitFor(async () => expect(await isForwarding()).toBe(true), WAIT_MAX_MS)
  for (const [i, player] of players.entries()) {
    const key = `from-${i}`
    const tx = await database.db.startTransaction().execute()
    await tx.selectFrom('pools').select('token_id').where('token_id', '=', tokenId).forUpdate().execute()
    const bought = buy(player, key)
    try {
      for (const asking of players) {
        const seen = async () => (await asking.get(`/api/orders/${key}`)).json()
        await vi.waitFor(
          async () => expect(await seen()).toMatchObject({ status: 'pending', key, kind: 'buy' }),
          WAIT_MAX_MS,
        )
      }
    } finally {
      await tx.rollback().execute()
    }
    expect((await bought).statusCode).toBe(200)
    for (const asking of players) {
      expect((await asking.get(`/api/orders/${key}`)).json()).toMatchObject({ status: 'filled', kind: 'buy' })
    }
  }
  expect((await players[1]?.get('/api/orders/never'))?.statusCode).toBe(404)
})
