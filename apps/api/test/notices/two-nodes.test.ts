import { connect } from '@papermoon/db'
import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, it, vi } from 'vitest'
import { type BuiltApp, buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Notice } from '../../src/notices/read-notices.ts'
import { giveNoStickers } from '../support/give-no-stickers.ts'
import { ENGINE_PATIENCE, openSocket, registration, Visitor } from '../support/test-server.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const WAIT = { timeout: WAIT_MAX_MS, interval: 50 }

interface Node extends BuiltApp {
  readonly url: string
  stop(): Promise<void>
}

/** Launches and rugs. */
let maker: Visitor
const database = await createTestDatabase()
await giveNoStickers(database.db)
const left = await startNode()
const right = await startNode()
afterAll(async () => {
  await left.stop()
  await right.stop()
  await database.drop()
})

/** A node without Redis, with connections of its own. */
async function startNode(): Promise<Node> {
  const client = connect(database.address, { poolMax: 8 })
  const built = await buildApp({
    config: readConfig({ RATE_LIMIT: 'off' }),
    database: client,
    log: pino({ level: 'silent' }),
    engineLimits: ENGINE_PATIENCE,
  })
  const stop = async () => {
    await built.fastify.close()
    await client.close()
  }
  return { ...built, stop, url: await built.fastify.listen({ port: 0, host: '127.0.0.1' }) }
}

/** The same player at another node. */
function at(node: Node, { cookie }: { readonly cookie: string | undefined }): Visitor {
  const visitor = new Visitor(node.fastify)
  visitor.cookie = cookie
  return visitor
}

async function signUp(name: string): Promise<Visitor> {
  const player = new Visitor(left.fastify)
  expect((await player.post('/api/auth/register', registration(name))).statusCode).toBe(201)
  return player
}

/** A player's bell at a node, from a notice's id on; `heard` grows with what comes. */
interface Bell {
  readonly heard: Notice[]
  close(): void
}

async function openBell(node: Node, { cookie = '' }: Visitor, lastEventId: string): Promise<Bell> {
  const { socket, send, next } = await openSocket(`${node.url.replace('http', 'ws')}/trpc`, { cookie })
  const heard: Notice[] = []
  socket.on('message', (message) => {
    const { result } = JSON.parse(String(message))
    if (result.type === 'data') heard.push(result.data.json.data)
  })
  send({ id: 1, method: 'subscription', params: { path: 'notices.live', input: { json: { lastEventId } } } })
  expect(await next()).toMatchObject({ result: { type: 'started' } })
  return { heard, close: () => socket.close() }
}

/** Lets a node tell players from now on. Whoever it was before gives it up. */
async function letTell(node: Node): Promise<void> {
  await sql`update notice_position set holder = ${node.app.live.notices.node}, held_until = now() + interval '5 minutes'`.execute(
    database.db,
  )
}

const toIds = (notices: readonly Notice[]): number[] => notices.map(({ id }) => id)

/** What the player is told; the maker hears of buyers, too. */
const kept = async () =>
  await database.db
    .selectFrom('notices')
    .select(['id', 'kind'])
    .where('kind', 'in', ['alert', 'rug'])
    .orderBy('id')
    .execute()

/** A price alert and then a rug pull for `player`, by orders at one node; the other is to tell of them. */
async function beTold(player: Visitor, { teller, orders }: { teller: Node; orders: Node }): Promise<void> {
  await letTell(teller)
  const before = (await kept()).length
  const [creator, holder] = [at(orders, maker), at(orders, player)]
  const tokenId = await creator.launch()
  const answers = [
    await holder.post('/api/alerts', { tokenId, measure: 'percent', value: '+5' }),
    await holder.post('/api/tokens/buy', { tokenId, solAmount: '1.5' }),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200])
  await vi.waitFor(async () => expect((await kept()).slice(before)).toMatchObject([{ kind: 'alert' }]), WAIT)
  expect((await creator.post(`/api/tokens/${tokenId}/rug`, {})).statusCode).toBe(200)
  await vi.waitFor(
    async () => expect((await kept()).slice(before)).toMatchObject([{ kind: 'alert' }, { kind: 'rug' }]),
    WAIT,
  )
}

it('rings at every node, whichever wrote the notice: each once, in order, and on after a break at another node', async () => {
  maker = await signUp('maker')
  const player = await signUp('player')
  // Whoever writes a notice, one of the two bells is at another node.
  const bells = [await openBell(left, player, '0'), await openBell(right, player, '0')] as const
  await beTold(player, { teller: left, orders: right })
  await beTold(player, { teller: right, orders: left })
  const ids = (await kept()).map(({ id }) => id)
  for (const { heard } of bells) await vi.waitFor(() => expect(toIds(heard)).toEqual(ids), WAIT)

  bells[1].close()
  await beTold(player, { teller: left, orders: right })
  const resumed = await openBell(left, player, String(ids.at(-1)))
  await beTold(player, { teller: right, orders: left })
  const all = (await kept()).map(({ id }) => id)
  expect(all).toHaveLength(8)
  await vi.waitFor(() => expect(toIds(bells[0].heard)).toEqual(all), WAIT)
  await vi.waitFor(() => expect(toIds(resumed.heard)).toEqual(all.slice(ids.length)), WAIT)
  for (const { close } of [bells[0], resumed]) close()
})
