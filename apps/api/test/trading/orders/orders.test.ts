import { readFileSync } from 'node:fs'
import { ORDER_FINAL_S } from '@papermoon/contract/orders'
import { ENGINE_LIMITS } from '@papermoon/engine'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { hide } from '../../../src/commands/admin/moderate.ts'
import { readPages } from '../../support/read-pages.ts'
import { shareTestServer, type Visitor } from '../../support/test-server.ts'
import { WAIT_MAX_MS } from '../../support/wait.ts'

interface Order {
  readonly key: string
  readonly kind: string
}

const keyed = (key: string) => ({ 'idempotency-key': key })
const find = async (key: string, visitor = player) =>
  (await visitor.get(`/api/orders/${encodeURIComponent(key)}`)).json()
const server = await shareTestServer({ hasJobs: false })
const player = await server.player('trader')
const id = await player.launch({ initialBuyAmount: '1', requestId: 'launch/1' })

it('the list of orders counts as reads by its length', async () => {
  const spend = vi.spyOn(server.app.accounts.limits, 'spend')
  await player.get('/api/orders?limit=500')
  const reads = spend.mock.calls.map(([, limit, calls = 1]) => (limit === 'read' ? calls : 0))
  spend.mockRestore()
  expect(reads.reduce((sum, calls) => sum + calls, 0)).toBe(1 + 5)
})

describe('an order by its key', () => {
  it('is filled, with the same response as a repeat', async () => {
    const bought = (await player.post('/api/tokens/buy', { tokenId: id, solAmount: '0.5' }, keyed('buy-1'))).json()
    const order = { tokenId: id, tokenAmount: '1000' }
    const sold = (await player.post('/api/tokens/sell', order, keyed('sell-1'))).json()
    const { position } = sold
    expect(await find('buy-1')).toEqual({
      status: 'filled',
      key: 'buy-1',
      kind: 'buy',
      tokenId: id,
      createdAt: bought.trade.createdAt,
      trade: bought.trade,
      ruggedAmount: null,
      answer: { ...bought, position },
    })
    expect(await find('sell-1')).toMatchObject({ kind: 'sell', trade: sold.trade, answer: sold })
    const repeat = await player.post('/api/tokens/sell', order, keyed('sell-1'))
    expect((await find('sell-1')).answer).toEqual(repeat.json())
  })

  it('is not reported as missing while a transaction of the player is open', async () => {
    const bot = await server.player('waiting')
    const { id: userId } = (await bot.get('/api/auth/user')).json()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const writing = server.db.transaction().execute(async (tx) => {
      await tx.selectFrom('accounts').select('user_id').where('user_id', '=', userId).forNoKeyUpdate().execute()
      locked()
      await released
    })
    await isLocked
    const answer = await bot.get('/api/orders/lost-1')
    release()
    await writing
    expect([answer.statusCode, (await bot.get('/api/orders/lost-1')).statusCode]).toEqual([503, 404])
  })

  it('that is not found is final after a time that covers every step of placing it, as documented', () => {
    const answerMax = 10_000 + 5_000
    const steps = {
      keyLookedUp: 5_000 + answerMax,
      rateLimits: 2 * 500,
      begun: ENGINE_LIMITS.beginMaxMs,
      locked: answerMax,
    }
    const longest = Object.values(steps).reduce((sum, ms) => sum + ms, 0)
    expect(longest).toBeLessThanOrEqual(ORDER_FINAL_S * 1_000)
    const chapter = new URL('../../../../../packages/guide/chapters/orders.md', import.meta.url)
    expect(readFileSync(chapter, 'utf8').replaceAll(/\s+/g, ' ')).toContain(`${ORDER_FINAL_S} seconds after`)
  })

  it('of a launch contains the token and the first buy, and its key may need encoding', async () => {
    const { token } = (await player.post('/api/tokens/launch', { name: 'Bare', symbol: 'BARE' }, keyed('bare%'))).json()
    const answer = { kind: 'launch', tokenId: token.id, trade: null, answer: { id: token.id } }
    expect(await find('bare%')).toMatchObject(answer)
    expect(await find('launch/1')).toMatchObject({ kind: 'launch', tokenId: id, trade: { seq: 1, solAmount: '1' } })
  })

  it('of a rug pull contains the SOL taken', async () => {
    const rugged = await player.launch({ initialBuyAmount: '0.2' })
    const drained = (await player.post(`/api/tokens/${rugged}/rug`, {}, keyed('rug-1'))).json()
    expect(await find('rug-1')).toMatchObject({
      kind: 'rug',
      tokenId: rugged,
      trade: null,
      ruggedAmount: drained.ruggedAmount,
      answer: drained,
    })
  })

  it.each(['never-used', 'refused-1'])('is 404 if none was placed: %s', async (key) => {
    const refused = await player.post('/api/tokens/buy', { tokenId: id, solAmount: '1000' }, keyed('refused-1'))
    expect(refused.statusCode).toBe(422)
    const answer = await player.get(`/api/orders/${key}`)
    expect([answer.statusCode, answer.body]).toEqual([404, 'You have not placed an order with this idempotency key.'])
  })

  it('is not visible to others', async () => {
    const answer = await (await server.player('stranger')).get('/api/orders/buy-1')
    expect([answer.statusCode, answer.body]).toEqual([404, 'You have not placed an order with this idempotency key.'])
  })

  it('is pending while it waits for its batch, and filled afterwards', async () => {
    const tx = await server.db.startTransaction().execute()
    await tx.selectFrom('pools').select('token_id').where('token_id', '=', id).forUpdate().execute()
    const bought = player.post('/api/tokens/buy', { tokenId: id, solAmount: '0.1' }, keyed('slow-1'))
    try {
      await vi.waitFor(
        async () =>
          expect(await find('slow-1')).toMatchObject({ status: 'pending', key: 'slow-1', kind: 'buy', answer: null }),
        { timeout: WAIT_MAX_MS },
      )
    } finally {
      await tx.rollback().execute()
    }
    const answer = await bought
    if (answer.statusCode === 200) expect(await find('slow-1')).toMatchObject({ status: 'filled', kind: 'buy' })
    else expect((await player.get('/api/orders/slow-1')).statusCode).toBe(404)
  })
})

describe('the list of orders', () => {
  let trader: Visitor
  let launched: number
  beforeAll(async () => {
    trader = await server.player('lister')
    launched = await trader.launch({ initialBuyAmount: '1', requestId: 'first' })
    for (const key of ['second', 'third']) {
      await trader.post('/api/tokens/buy', { tokenId: launched, solAmount: '0.1' }, keyed(key))
    }
    await trader.post('/api/tokens/launch', { name: 'Bare', symbol: 'BARE' }, keyed('fourth'))
    await trader.post(`/api/tokens/${launched}/rug`, {}, keyed('fifth'))
  })

  it('contains each order once, newest first, with pages of any size', async () => {
    const all = (await readPages<Order>(trader, '/api/orders')).flat()
    expect(all.map(({ key, kind }) => `${kind} ${key}`)).toEqual([
      'rug fifth',
      'launch fourth',
      'buy third',
      'buy second',
      'launch first',
    ])
    for (const limit of [1, 2, 5]) {
      const pages = await readPages<Order>(trader, `/api/orders?limit=${limit}`)
      expect(pages.flat()).toEqual(all)
      expect(pages).toHaveLength(Math.ceil(5 / limit))
    }
  })

  it('contains each order once, even if several have the same millisecond', async () => {
    const at = new Date('2026-02-03T04:05:06.789Z')
    const same = await server.player('same')
    const own = await same.launch({ initialBuyAmount: '1', requestId: 'a' })
    for (const key of ['b', 'c']) await same.post('/api/tokens/buy', { tokenId: own, solAmount: '0.1' }, keyed(key))
    await same.post(`/api/tokens/${own}/rug`, {}, keyed('d'))
    await server.db.updateTable('rugs').set({ created_at: at }).where('token_id', '=', own).execute()
    await server.db
      .updateTable('trades')
      .set({ created_at: at } as never)
      .where('token_id', '=', own)
      .execute()
    for (const limit of [1, 2, 3, 10]) {
      const keys = (await readPages<Order>(same, `/api/orders?limit=${limit}`)).flat().map(({ key }) => key)
      expect(keys).toEqual(['d', 'c', 'b', 'a'])
    }
  })

  it('accepts bounds of time: from is included, and to is not', async () => {
    const [, , third] = (await trader.get('/api/orders')).json()
    const from = (await trader.get(`/api/orders?from=${third.createdAt}`)).json()
    const before = (await trader.get(`/api/orders?to=${third.createdAt}`)).json()
    expect(from.map(({ key }: Order) => key)).toContain('third')
    expect(before.map(({ key }: Order) => key)).not.toContain('third')
    expect(from.length + before.length).toBe(5)
  })

  it('can be read with an API key', async () => {
    const { key } = (await trader.post('/api/keys', { name: 'reader', scopes: ['read'] })).json()
    const answer = await server.visitor().get('/api/orders?limit=1', { authorization: `Bearer ${key}` })
    expect(answer.json()).toMatchObject([{ kind: 'rug', key: 'fifth' }])
  })

  it('includes the orders of a hidden token, with only the token’s id', async () => {
    await hide(server.database, String(launched))
    await vi.waitFor(
      async () => expect((await trader.get(`/api/tokens/${launched}`)).statusCode).toBe(404),
      WAIT_MAX_MS,
    )
    expect((await readPages<Order>(trader, '/api/orders')).flat()).toHaveLength(5)
    expect(await find('first', trader)).toMatchObject({ kind: 'launch', answer: { id: launched } })
  })
})

describe('a replayed response', () => {
  let ripe: number
  beforeAll(async () => {
    ripe = await player.launch()
  })
  const orders = [
    ['launch', () => '/api/tokens/launch', () => ({ name: 'Again', symbol: 'AGN' })],
    ['buy', () => '/api/tokens/buy', () => ({ tokenId: id, solAmount: '0.1' })],
    ['sell', () => '/api/tokens/sell', () => ({ tokenId: id, tokenAmount: '5' })],
    ['rug', () => `/api/tokens/${ripe}/rug`, () => ({})],
  ] as const

  it.each(orders)('is marked by a header over REST: %s', async (kind, url, body) => {
    const send = () => player.post(url(), body(), keyed(`again-${kind}`))
    const [first, second] = [await send(), await send()]
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true'])
    expect(second.json()).toEqual(first.json())
  })

  it('is marked by a field over tRPC', async () => {
    const input = { tokenId: id, solAmount: '0.1', requestId: 'field-1' }
    const [first, second] = [await player.mutate('trading.buy', input), await player.mutate('trading.buy', input)]
    const { json, meta } = first.json().result.data
    expect([json.isReplayed, meta]).toEqual([undefined, undefined])
    expect(second.json().result.data.json).toEqual({ ...json, isReplayed: true })
  })

  it('is marked for all but one of concurrent calls', async () => {
    const order = { tokenId: id, solAmount: '0.1' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => player.post('/api/tokens/buy', order, keyed('at-once'))),
    )
    expect(answers.map(({ headers }) => headers['idempotent-replayed'] ?? 'first').sort()).toEqual([
      'first',
      'true',
      'true',
      'true',
      'true',
    ])
  })
})
