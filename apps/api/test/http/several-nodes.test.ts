import { sql } from 'kysely'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { RateLimitedError } from '../../src/errors.ts'
import { openEventSource } from '../support/event-source.ts'
import { countStatements } from '../support/statements.ts'
import { openSocket, type Visitor } from '../support/test-server.ts'
import { at, startTwoNodes } from '../support/two-nodes.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

/** Two nodes without Redis. Orders go to the first node, and each node reads the other's orders from the journal. */
const two = await startTwoNodes()
const [orders, reads] = two.nodes
const tokenId = await (await orders.player('maker')).launch()
afterAll(() => two.close())

const atReads = (player: Visitor) => at(reads, player)
const buy = async (player: Visitor) => await player.post('/api/tokens/buy', { tokenId, solAmount: '0.5' })

describe('a read at another node right after an order', () => {
  it('contains the order, because browsers send a cookie', async () => {
    const player = await orders.player('ann')
    for (let turn = 0; turn < 3; turn++) {
      await atReads(player).get(`/api/tokens/${tokenId}`)
      const { trade } = (await buy(player)).json()
      expect((await atReads(player).get(`/api/tokens/${tokenId}`)).json().seq).toBe(trade.seq)
    }
  })

  it('contains the order, if programs send the header of its response', async () => {
    const bought = await buy(await orders.player('bob'))
    const seen = { 'papermoon-seen': String(bought.headers['papermoon-seen']) }
    expect(seen['papermoon-seen']).toBe(`${bought.json().trade.id}.0`)
    const read = await reads.visitor().get(`/api/tokens/${tokenId}`, seen)
    expect(read.json().seq).toBe(bought.json().trade.seq)
  })

  it('has the same ETag if the response is the same', async () => {
    const player = await orders.player('tag')
    await buy(player)
    const url = `/api/tokens/${tokenId}/holders`
    const { etag } = (await player.get(url)).headers
    expect((await atReads(player).get(url, { 'if-none-match': String(etag) })).statusCode).toBe(304)
  })

  it('contains a new seal and its renewal', async () => {
    const creator = await orders.player('eve')
    const own = await creator.launch({ seal: { term: 'hour', bag: false } })
    for (const term of [null, 'day', 'week']) {
      if (term !== null) await creator.post(`/api/tokens/${own}/seal`, { term, bag: false })
      const { seal } = (await creator.get(`/api/tokens/${own}`)).json()
      expect((await atReads(creator).get(`/api/tokens/${own}`)).json().seal).toEqual(seal)
    }
  })

  it('is rate-limited for a made-up position before the journal is read', async () => {
    const spend = vi.spyOn(reads.app.accounts.limits, 'spend').mockRejectedValueOnce(new RateLimitedError(1, 'read'))
    const claim = { 'papermoon-seen': '999999.0' }
    const asked = await countStatements(/from "journal"/, async () => {
      expect((await reads.visitor().get('/api/parameters', claim)).statusCode).toBe(429)
    })
    expect([asked, spend.mock.calls.length]).toEqual([0, 1])
    spend.mockRestore()
  })

  it('is marked as stale if the journal does not respond within a second', async () => {
    const visitor = reads.visitor()
    const path = `/api/tokens/${tokenId}`
    const { seq } = (await visitor.get(path)).json()
    const seen = { 'papermoon-seen': `${reads.app.live.feed.position + 1_000}.0` }
    // A position beyond the journal's end is treated like the end.
    const isFresh = async () => expect((await visitor.get(path, seen)).headers.warning).toBeUndefined()
    await vi.waitFor(isFresh, WAIT_MAX_MS)
    const { promise: locked, resolve: onLocked } = Promise.withResolvers<void>()
    const { promise: over, resolve: unlock } = Promise.withResolvers<void>()
    const transaction = orders.db.transaction().execute(async (trx) => {
      await sql`lock table journal in access exclusive mode`.execute(trx)
      onLocked()
      await over
    })
    await locked
    const answer = await visitor.get(path, seen)
    unlock()
    await transaction
    expect([answer.statusCode, answer.headers.warning, answer.json().seq]).toEqual([
      200,
      '110 - "Response is Stale"',
      seq,
    ])
  })
})

describe('a node that receives no orders', () => {
  it('sends the trades of other nodes to its sockets, streams and subscriptions', async () => {
    const origin = `http://127.0.0.1:${await reads.listen()}`
    const socket = await openSocket(`${origin.replace('http', 'ws')}/ws`)
    const stream = await openEventSource(`${origin}/api/events`)
    const subscription = await openSocket(`${origin.replace('http', 'ws')}/trpc`)
    const input = { json: { tokenId } }
    subscription.send({ id: 1, method: 'subscription', params: { path: 'live.token', input } })
    expect(await subscription.next()).toMatchObject({ result: { type: 'started' } })
    const { trade } = (await buy(await orders.player('leo'))).json()
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
})
