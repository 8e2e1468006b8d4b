import { sql } from 'kysely'
import { afterAll, expect, it, vi } from 'vitest'
import type { Notice } from '../../src/features/notices/read-notices.ts'
import { giveNoStickers } from '../support/give-no-stickers.ts'
import { openSocket, type TestServer, type Visitor } from '../support/test-server.ts'
import { at, startTwoNodes } from '../support/two-nodes.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const WAIT = { timeout: WAIT_MAX_MS, interval: 50 }

const two = await startTwoNodes()
afterAll(() => two.close())
const [left, right] = two.nodes
const { db } = left
await giveNoStickers(db)
const urls = new Map<TestServer, string>()
for (const node of two.nodes) urls.set(node, `ws://127.0.0.1:${await node.listen()}/trpc`)
/** This player launches and rugs tokens. */
const maker = await left.player('maker')

/** A subscription to a player's notices at a node, after a notice's id. `heard` grows with each notice. */
interface Bell {
  readonly heard: Notice[]
  close(): void
}

async function openBell(node: TestServer, { cookie = '' }: Visitor, lastEventId: string): Promise<Bell> {
  const { socket, send, next } = await openSocket(urls.get(node) ?? '', { cookie })
  const heard: Notice[] = []
  socket.on('message', (message) => {
    const { result } = JSON.parse(String(message))
    if (result.type === 'data') heard.push(result.data.json.data)
  })
  send({ id: 1, method: 'subscription', params: { path: 'notices.live', input: { json: { lastEventId } } } })
  expect(await next()).toMatchObject({ result: { type: 'started' } })
  return { heard, close: () => socket.close() }
}

/** Makes a node send the notices from now on. The previous node stops. */
async function letTell(node: TestServer): Promise<void> {
  await sql`update notice_position set holder = ${node.app.live.notices.node}, held_until = now() + interval '5 minutes'`.execute(
    db,
  )
}

const toIds = (notices: readonly Notice[]): number[] => notices.map(({ id }) => id)

/** Returns the player's notices. A token's creator also gets notices of buyers. */
const kept = async () =>
  await db.selectFrom('notices').select(['id', 'kind']).where('kind', 'in', ['alert', 'rug']).orderBy('id').execute()

/**
 * Causes a price alert and then a rug pull for `player` by orders at one node. The other node must send the notices.
 */
async function beTold(player: Visitor, { teller, orders }: { teller: TestServer; orders: TestServer }): Promise<void> {
  await letTell(teller)
  const before = (await kept()).length
  const [creator, holder] = [at(orders, maker), at(orders, player)]
  const tokenId = await creator.launch()
  const answers = [
    await holder.post('/api/alerts', { tokenId, measure: 'percent', value: '+5' }),
    await holder.post('/api/tokens/buy', { tokenId, solAmount: '1.5' }),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200])
  await teller.tickUntil('notices', async () => expect((await kept()).slice(before)).toMatchObject([{ kind: 'alert' }]))
  expect((await creator.post(`/api/tokens/${tokenId}/rug`, {})).statusCode).toBe(200)
  await teller.tickUntil('notices', async () =>
    expect((await kept()).slice(before)).toMatchObject([{ kind: 'alert' }, { kind: 'rug' }]),
  )
  // Both nodes run the jobs, but only `teller` may send notices.
  for (const job of ['notices', 'changes'] as const) for (const node of two.nodes) await node.tick(job)
}

it('notices reach their player alone at every node, whichever node wrote them: each once, in order, and after a reconnection to another node', async () => {
  const [player, stranger] = [await left.player('player'), await left.player('stranger')]
  const foreign = await openBell(left, stranger, '0')
  // One of the two bells is always at a node that did not write the notice.
  const bells = [await openBell(left, player, '0'), await openBell(right, player, '0')] as const
  await beTold(player, { teller: left, orders: right })
  const ids = (await kept()).map(({ id }) => id)
  for (const { heard } of bells) await vi.waitFor(() => expect(toIds(heard)).toEqual(ids), WAIT)

  bells[1].close()
  await beTold(player, { teller: right, orders: left })
  const resumed = await openBell(left, player, String(ids.at(-1)))
  await beTold(player, { teller: left, orders: right })
  const all = (await kept()).map(({ id }) => id)
  expect(all).toHaveLength(6)
  await vi.waitFor(() => expect(toIds(bells[0].heard)).toEqual(all), WAIT)
  await vi.waitFor(() => expect(toIds(resumed.heard)).toEqual(all.slice(ids.length)), WAIT)
  expect(foreign.heard).toEqual([])
  for (const { close } of [bells[0], resumed, foreign]) close()
})
