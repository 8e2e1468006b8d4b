import type { WaitingOrderView } from '@papermoon/contract/waiting-orders'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { ownOrders } from '../../../src/features/trading/waiting/store.ts'
import { readPages } from '../../support/read-pages.ts'
import { shareTestServer } from '../../support/test-server.ts'
import { openWaitingMarket, type WaitingMarket } from '../../support/waiting-market.ts'

let market: WaitingMarket
const server = await shareTestServer({ hasJobs: false })
server.passToNoon()
beforeEach(async () => {
  market = await openWaitingMarket(server)
})

const limitBuy = (factor: number, more: object = {}) => {
  return { tokenId: market.tokenId, kind: 'buy', solAmount: '2', price: market.at(factor), ...more }
}
const place = async (body: object, headers: Record<string, string> = {}) =>
  await market.maker.post('/api/waiting-orders', body, headers)
const list = async (query = '') => (await market.maker.get(`/api/waiting-orders${query}`)).json() as WaitingOrderView[]

describe('a waiting order over REST', () => {
  it('is placed, listed, filled by another player’s trade, and can be found by its key for ever', async () => {
    const placed = await place(limitBuy(0.9), { 'idempotency-key': 'limit-1' })
    expect([placed.statusCode, placed.json()]).toMatchObject([
      201,
      { trades: [], order: { kind: 'buy', amount: '2', left: '2', state: 'waiting', key: 'limit-1', fills: 0 } },
    ])
    expect(await list()).toEqual([placed.json().order])
    expect((await market.maker.get('/api/orders/limit-1')).json()).toMatchObject({
      status: 'waiting',
      kind: 'waiting',
      waitingOrder: placed.json().order,
    })
    await market.sell('200000000')
    expect(await list()).toEqual([])
    const [filled] = await list('?state=ended')
    expect(filled).toMatchObject({ state: 'filled', left: '0', fills: 1, cause: null })
    expect((await market.maker.get('/api/orders/limit-1')).json()).toMatchObject({
      status: 'filled',
      waitingOrder: filled,
    })
    const { orders } = { orders: (await market.maker.get('/api/orders')).json() }
    expect(orders).toMatchObject([{ kind: 'buy', key: `order ${filled?.id} fill 1`, trade: { solAmount: '2' } }])
    const fill = (await market.maker.get(`/api/orders/${encodeURIComponent(orders[0].key)}`)).json()
    expect(fill).toMatchObject({ status: 'filled', ...orders[0], answer: { tokensOut: orders[0].trade.tokenAmount } })
    expect((await market.maker.get(`/api/orders/${encodeURIComponent('order 7 filled')}`)).statusCode).toBe(400)
  })

  it('with dryRun returns the trades it would make, and changes nothing', async () => {
    const dry = (await place(limitBuy(1.2, { dryRun: true }))).json()
    expect(dry).toMatchObject({ dryRun: true, order: { state: 'filled' }, trades: [{ side: 'buy', solAmount: '2' }] })
    const far = (await place(limitBuy(0.5, { dryRun: true }))).json()
    expect(far).toMatchObject({ dryRun: true, order: { state: 'waiting' }, trades: [] })
    expect(Number(far.order.below)).toBeCloseTo(Number(market.at(0.5)) * 0.997, 12)
    expect([await list(), await list('?state=ended')]).toEqual([[], []])
  })

  it('can be replaced by a new one, and cancelled one by one or all at once', async () => {
    const { order } = (await place(limitBuy(0.9))).json()
    const changed = (await place(limitBuy(0.8, { replaces: order.id }))).json()
    expect(changed.order).toMatchObject({ replaces: order.id, state: 'waiting' })
    const cancelled = await market.maker.post('/api/waiting-orders/cancel', { ids: [changed.order.id] })
    expect(cancelled.json().orders).toMatchObject([{ state: 'cancelled', cause: 'PLAYER' }])
    await place(limitBuy(0.7))
    await place(limitBuy(0.6))
    const other = await market.place(limitBuy(0.5), market.taker)
    expect((await market.maker.post('/api/waiting-orders/cancel', {})).json().orders).toHaveLength(2)
    expect((await market.taker.get('/api/waiting-orders')).json()).toMatchObject([{ id: other.id }])
    expect((await market.maker.post('/api/waiting-orders/cancel', {})).json()).toEqual({ orders: [] })
    const foreign = await market.taker.post('/api/waiting-orders/cancel', { ids: [order.id] })
    expect(foreign.statusCode).toBe(404)
  })

  it('is listed once, newest first, with pages of any size', async () => {
    for (const factor of [0.7, 0.6, 0.5]) await place(limitBuy(factor))
    const pages = await readPages<WaitingOrderView>(market.maker, '/api/waiting-orders?limit=1')
    const ids = pages.flat().map(({ id }) => id)
    expect(ids).toEqual((await list()).map(({ id }) => id))
    expect(ids).toHaveLength(3)
  })

  it('cannot be replaced if it was partly filled since the player saw it', async () => {
    const { order } = (await place(limitBuy(0.9, { solAmount: '50' }))).json()
    await market.sell('200000000')
    const [now] = await list()
    expect(now).toMatchObject({ id: order.id, fills: 1 })
    const change = limitBuy(0.8, { replaces: order.id, replacesFills: 0 })
    const refused = await place(change, { 'idempotency-key': 'change-1', accept: 'application/json' })
    expect(refused.json()).toMatchObject({
      status: 409,
      code: 'FILLED_SINCE',
      detail: `Part of the order was filled in the meantime. Only ${now?.left} SOL are left.`,
      details: { left: now?.left, fills: 1 },
    })
    expect(await list()).toEqual([now])
    const changed = await place({ ...change, replacesFills: 1 }, { 'idempotency-key': 'change-1' })
    expect(changed.json().order).toMatchObject({ replaces: order.id, state: 'waiting' })
    const repeat = await place(change, { 'idempotency-key': 'change-1' })
    expect([repeat.headers['idempotent-replayed'], repeat.json()]).toEqual(['true', changed.json()])
    expect(await list()).toHaveLength(1)
  })

  it('is cancelled with all others, even if the cancellation of another token’s orders fails', async () => {
    const tokens = [await market.taker.launch(), await market.taker.launch()]
    for (const tokenId of tokens) await place(limitBuy(0.01, { tokenId }))
    // An order with a wrong account cannot be cancelled.
    await server.db
      .updateTable('waiting_orders')
      .set({ account_id: 0 })
      .where('token_id', '=', Number(tokens[0]))
      .execute()
    expect((await market.maker.post('/api/waiting-orders/cancel', {})).statusCode).toBe(404)
    expect((await list()).map(({ tokenId }) => tokenId)).toEqual([tokens[0]])
  })

  it('is found by an index among the ended orders of its token, even if other tokens have many', async () => {
    await sql`insert into waiting_orders (token_id, user_id, account_id, kind, left_amount, request_key, digest, placed_at, expires_at,
      state, ended_at) select 1, 1, 1, 'buy', 0, 'past ' || n, '', now(), now(), 'filled', now()
      from generate_series(1, 2000) n`.execute(server.db)
    await sql`analyze waiting_orders`.execute(server.db)
    const wanted = { userId: 1 as never, tokenId: 2 as never, state: 'ended', limit: 50 } as const
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain analyze ${ownOrders(wanted)}`.execute(server.db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('waiting_orders_past_of_token')
  })

  it('sells a holding with a stop at least a tenth below its price, or at any price on request', async () => {
    const { position } = (
      await market.maker.post('/api/tokens/buy', { tokenId: market.tokenId, solAmount: '5' })
    ).json()
    const { tokenId, at } = market
    const stop = { tokenId, kind: 'stop', tokenAmount: position.amount, stopPrice: at(1) }
    expect((await place(stop)).json().order).toMatchObject({ kind: 'stop', isTriggered: false, above: null })
    const [order] = await list()
    expect(Number(order?.leastPrice)).toBeCloseTo(Number(market.at(0.9)), 12)
    expect((await place({ ...stop, leastPrice: 'any', replaces: order?.id })).json().order.leastPrice).toBeNull()
  })

  it.each([
    [{ kind: 'limit' }, 'kind'],
    [{ price: undefined }, 'price is required'],
    [{ price: '0' }, 'greater than zero'],
    [{ price: 'cheap' }, 'plain decimal'],
    [{ price: '1'.repeat(41) }, 'plain decimal'],
    [{ solAmount: undefined, tokenAmount: '5' }, 'solAmount is required'],
    [{ stopPrice: '1' }, 'stopPrice does not belong to a buy'],
    [{ leastPrice: 'any' }, 'leastPrice does not belong to a buy'],
    [{ lasts: 'ever' }, 'lasts'],
    [{ tokenId: 999_999 }, 'Token not found.'],
    [{ solAmount: '1000' }, 'Insufficient balance'],
    [{ solAmount: '0.0001' }, 'at least 0.001 SOL'],
    [{ replaces: 999_999 }, 'no such waiting order'],
    [{ replacesFills: 1 }, 'replacesFills needs replaces'],
    [{ kind: 'sale', solAmount: undefined, tokenAmount: '100000' }, 'Insufficient tokens'],
    [{ kind: 'bracket', solAmount: undefined, tokenAmount: '5', stopPrice: '2', price: '1' }, 'must be above'],
    [{ extra: 1 }, 'extra'],
  ])('is refused with one sentence for %j', async (change, sentence) => {
    const answer = await place({ ...limitBuy(0.9), ...change })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.body).toContain(sentence)
    expect(await list()).toEqual([])
  })
})
