import { Decimal, parseSol, parseTokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PlaceOrder, PlaceReceipt } from '../../src/orders.ts'
import { ENGINE_LIMITS } from '../../src/trading-engine.ts'
import type { WaitingTerms } from '../../src/waiting/waiting-order.ts'
import { balancedBooks, createTestMarket, readBooks, type TestMarket } from '../support/test-market.ts'

const HOUR_MS = 3_600_000
let nowMs: number
let market: TestMarket
let maker: UserId
let taker: UserId
let tokenId: TokenId
beforeEach(async () => {
  nowMs = Date.parse('2026-03-01T12:00:00.000Z')
  market = await createTestMarket({ clock: { now: () => new Date(nowMs) } })
  taker = await market.addPlayer('1000')
  maker = await market.addPlayer('1000')
  tokenId = await market.launch(taker, '30')
})
afterEach(() => market.close())

const NONE = { price: null, stopPrice: null, leastPrice: null }
const price = (text: string) => new Decimal(text)

/** Places an order with prices relative to the current one. */
async function place(
  userId: UserId,
  {
    kind,
    amount,
    ...factors
  }: { kind: WaitingTerms['kind']; amount: string } & Partial<Record<keyof typeof NONE, number>>,
  more: Partial<PlaceOrder> = {},
): Promise<PlaceReceipt> {
  const spot = await readPrice()
  const prices = Object.entries(factors).map(([name, factor]) => [name, spot.mul(factor).toDecimalPlaces(18)])
  const parsed = kind === 'buy' ? parseSol(amount) : parseTokens(amount)
  const terms = { ...NONE, ...Object.fromEntries(prices), kind, amount: parsed } as WaitingTerms
  return await market.engine.submit({ kind: 'place', userId, tokenId, terms, lastsMs: HOUR_MS, ...more })
}

async function readPool() {
  return await market.db.selectFrom('pools').selectAll().where('token_id', '=', tokenId).executeTakeFirstOrThrow()
}

async function readPrice(): Promise<Decimal> {
  return price((await readPool()).price)
}

const readOrders = async () => await market.db.selectFrom('waiting_orders').selectAll().orderBy('id').execute()
const readTrades = async () =>
  await market.db.selectFrom('trades').selectAll().where('token_id', '=', tokenId).orderBy('seq').execute()

describe('a waiting order', () => {
  it('is filled right after the trade that reaches it, at its price or better, and the taker gets their own price', async () => {
    const { order, trades } = await place(maker, { kind: 'buy', amount: '2', price: 0.95 })
    expect([order.state, order.left, order.endedAt, trades]).toEqual(['waiting', '2', null, []])
    const before = await readPool()
    expect(before.book_below).not.toBeNull()
    const { trade } = await market.sell(taker, tokenId, '50000000')
    const [, sale, fill] = await readTrades()
    expect([sale?.user_id, fill?.user_id, fill?.side, fill?.request_key]).toEqual([
      taker,
      maker,
      'buy',
      `order ${order.id} fill 1`,
    ])
    expect(trade.spotPrice).toBe(price(sale?.spot_price ?? '0').toFixed())
    expect(price(fill?.price ?? '1').lte(order.price ?? 0)).toBe(true)
    expect(await readOrders()).toMatchObject([{ state: 'filled', left_amount: '0.000000000', fills: 1 }])
    expect(market.events.slice(-2)).toMatchObject([
      { seq: 2 },
      { seq: 3, trade: { userId: maker, username: 'player-2' } },
    ])
    expect(await readPool()).toMatchObject({ book_below: null, book_above: null, cascade_from: null })
    expect(await readBooks(market)).toEqual(balancedBooks('2000'))
  })

  it('returns its own fills, but not the fills that follow from them', async () => {
    await market.buy(maker, tokenId, '10')
    await place(maker, { kind: 'sale', amount: '1000000', price: 1.01 })
    const { order, trades } = await place(taker, { kind: 'buy', amount: '20', price: 1.2 })
    expect((await readTrades()).slice(-2).map(({ user_id }) => user_id)).toEqual([taker, maker])
    expect([order.fills, trades.map(({ userId }) => userId)]).toEqual([1, [taker]])
  })

  it('keeps its rest waiting if the price reaches its bound first, and uses no sequence number by itself', async () => {
    await place(maker, { kind: 'buy', amount: '100', price: 0.99 })
    expect((await readPool()).seq).toBe(1)
    await market.sell(taker, tokenId, '10000000')
    const [order] = await readOrders()
    expect(order).toMatchObject({ state: 'waiting', fills: 1 })
    expect(price(order?.left_amount ?? '0').gt(90)).toBe(true)
    expect((await readPool()).book_below).toBe(order?.below)
    await market.sell(taker, tokenId, '10000000')
    expect((await readOrders())[0]?.fills).toBe(2)
    expect(await readBooks(market)).toEqual(balancedBooks('2000'))
  })

  it('is filled at once if its price was already reached', async () => {
    const { order, trades } = await place(maker, { kind: 'buy', amount: '1', price: 1.1 })
    expect([order.state, order.left, trades.length]).toEqual(['filled', '0', 1])
    expect(trades[0]).toMatchObject({ side: 'buy', solAmount: '1', seq: 2 })
  })

  it('is placed once per key, and a repeat returns its current state', async () => {
    const wish = { kind: 'buy', amount: '2', price: 0.9 } as const
    const { order } = await place(maker, wish, { requestKey: 'mine' })
    expect(await place(maker, wish, { requestKey: 'mine' })).toEqual({ tokenId, order, trades: [], isRepeat: true })
    const reused = { code: 'REQUEST_KEY_REUSED' }
    await expect(place(maker, { ...wish, amount: '3' }, { requestKey: 'mine' })).rejects.toMatchObject(reused)
    const stop = { kind: 'stop', amount: '50000000', stopPrice: 0.8 } as const
    await place(taker, { ...stop, leastPrice: 0.7 }, { requestKey: 'mine' })
    await expect(place(taker, stop, { requestKey: 'mine' })).rejects.toMatchObject(reused)
    await expect(market.buy(maker, tokenId, '1', 'mine')).rejects.toMatchObject(reused)
    await market.engine.submit({ kind: 'cancel', userId: maker, tokenId, ids: [order.id] })
    expect((await place(maker, wish, { requestKey: 'mine' })).order).toMatchObject({
      state: 'cancelled',
      cause: 'PLAYER',
    })
    expect(await readOrders()).toHaveLength(2)
  })

  it('can be cancelled and replaced by its player alone, and ends once', async () => {
    const { order } = await place(maker, { kind: 'buy', amount: '2', price: 0.9 })
    const cancel = (userId: UserId) => market.engine.submit({ kind: 'cancel', userId, tokenId, ids: [order.id] })
    await expect(cancel(taker)).rejects.toMatchObject({ code: 'NOT_WAITING' })
    const changed = await place(maker, { kind: 'buy', amount: '3', price: 0.8 }, { replaces: order.id })
    expect(changed.order).toMatchObject({ state: 'waiting', replaces: order.id, amount: '3' })
    expect((await cancel(maker)).orders).toMatchObject([{ state: 'cancelled', cause: 'CHANGED' }])
    await expect(place(maker, { kind: 'buy', amount: '3', price: 0.8 }, { replaces: order.id })).rejects.toMatchObject({
      code: 'NOT_WAITING',
    })
    await market.sell(taker, tokenId, '100000000')
    expect((await readOrders()).map(({ state }) => state)).toEqual(['cancelled', 'filled'])
  })

  it('is rejected with an error if it makes no sense', async () => {
    const refused = async (wish: Parameters<typeof place>[1], code: string) =>
      await expect(place(maker, wish)).rejects.toMatchObject({ code })
    await refused({ kind: 'buy', amount: '0.0009', price: 0.9 }, 'TOO_SMALL_TO_WAIT')
    await refused({ kind: 'buy', amount: '1001', price: 0.9 }, 'INSUFFICIENT_BALANCE')
    await refused({ kind: 'sale', amount: '100000', price: 2 }, 'INSUFFICIENT_TOKENS')
    await expect(place(taker, { kind: 'stop', amount: '1000000', stopPrice: 1 })).rejects.toMatchObject({
      code: 'STOP_REACHED',
    })
    expect(await readOrders()).toEqual([])
  })

  it('is limited to twenty per token', async () => {
    for (let n = 0; n < 14; n++) await place(maker, { kind: 'buy', amount: '1', price: 0.5 })
    // These orders are in one batch.
    const last = Array.from({ length: 8 }, () => place(maker, { kind: 'buy', amount: '1', price: 0.5 }))
    const refused = (await Promise.allSettled(last)).filter(({ status }) => status === 'rejected')
    const reason = { code: 'TOO_MANY_WAITING', details: { maximum: 20 } }
    expect(refused).toMatchObject([{ reason }, { reason }])
    // Replacing an order does not count as another one.
    const [first] = await readOrders()
    await place(maker, { kind: 'buy', amount: '2', price: 0.5 }, { replaces: first?.id ?? 0 })
  })

  it('is limited to fifty per player, even if two nodes place orders for two tokens at once', async () => {
    const tokens = [tokenId, await market.launch(taker), await market.launch(taker)] as const
    const terms = { ...NONE, kind: 'buy', amount: parseSol('1'), price: price('1e-9') } as const
    const toOrder = (id: TokenId): PlaceOrder => {
      return { kind: 'place', userId: maker, tokenId: id, terms, lastsMs: HOUR_MS }
    }
    for (let n = 0; n < 49; n++) await market.engine.submit(toOrder(tokens[n % 3] as TokenId))
    // The lock makes both nodes wait between their reads and their writes, on any machine.
    const limits = { ...ENGINE_LIMITS, waitMaxMs: 60_000, lockTimeoutMs: 60_000 }
    const holder = await market.pool.connect()
    await holder.query('begin; lock table waiting_orders in share mode')
    const answers = Promise.allSettled(
      [1, 2].map((n) => market.openEngine(limits).submit(toOrder(tokens[n] as TokenId))),
    )
    const countBlocked = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(market.db)
      return rows.length
    }
    await expect.poll(countBlocked, { interval: 5 }).toBe(2)
    await holder.query('rollback')
    holder.release()
    const refused = (await answers).filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code: 'TOO_MANY_WAITING', details: { maximum: 50 } } }])
  })

  it('can use the same SOL as another: the first to fill gets it, and the next is cancelled', async () => {
    const poor = await market.addPlayer('1')
    await place(poor, { kind: 'buy', amount: '1', price: 0.9 })
    await place(poor, { kind: 'buy', amount: '1', price: 0.8 })
    await market.sell(taker, tokenId, '200000000')
    expect(await readOrders()).toMatchObject([
      { state: 'filled', cause: null },
      { state: 'cancelled', cause: 'INSUFFICIENT_BALANCE' },
    ])
  })
})

describe('a stop', () => {
  it('sells once the price has fallen, not below its least price, and then waits as a limit sale', async () => {
    const { position } = await market.buy(maker, tokenId, '5')
    const amount = position.amount
    await place(maker, { kind: 'stop', amount, stopPrice: 0.95, leastPrice: 0.9 })
    await market.sell(taker, tokenId, '200000000')
    // The price fell below the least price, so nothing was sold.
    const [triggered] = await readOrders()
    expect(triggered).toMatchObject({ state: 'waiting', fills: 0, below: null })
    expect((await readPool()).book_above).toBe(triggered?.above)
    await market.buy(taker, tokenId, '60')
    expect((await readOrders())[0]).toMatchObject({ state: 'filled', fills: 1 })
  })

  it('sells if the price falls to exactly its price', async () => {
    const { position } = await market.buy(maker, tokenId, '5')
    const sale = { kind: 'sell', userId: taker, tokenId, tokens: parseTokens('20000000') } as const
    const { receipt } = await market.engine.dryRun(sale)
    const terms = {
      ...NONE,
      kind: 'stop',
      amount: parseTokens(position.amount),
      stopPrice: price(receipt.trade.spotPrice),
    } as const
    await market.engine.submit({ kind: 'place', userId: maker, tokenId, terms, lastsMs: HOUR_MS })
    await market.engine.submit(sale)
    const [stop] = await readOrders()
    expect(stop).toMatchObject({ state: 'filled', stop_price: (await readTrades())[2]?.spot_price })
  })

  it('at any price sells the whole holding', async () => {
    const { position } = await market.buy(maker, tokenId, '5')
    await place(maker, { kind: 'stop', amount: position.amount, stopPrice: 0.95 })
    await market.sell(taker, tokenId, '200000000')
    expect(await readOrders()).toMatchObject([{ state: 'filled', left_amount: '0.000000000' }])
  })

  it('ends if the target of its bracket fills', async () => {
    const { position } = await market.buy(maker, tokenId, '5')
    await place(maker, { kind: 'bracket', amount: position.amount, price: 1.2, stopPrice: 0.8 })
    await market.buy(taker, tokenId, '20')
    expect(await readOrders()).toMatchObject([{ state: 'filled' }])
    await market.sell(taker, tokenId, '300000000')
    expect((await readTrades()).filter(({ user_id }) => user_id === maker)).toHaveLength(2)
  })
})

describe('the checks before a fill', () => {
  const cancelledBy = async (cause: string) => {
    await market.sell(taker, tokenId, '100000000')
    expect(await readOrders()).toMatchObject([{ state: 'cancelled', cause }])
  }

  it.each([
    ['suspended', 'ACCOUNT_SUSPENDED'],
    ['frozen', 'ACCOUNT_FROZEN'],
  ] as const)('hold at the fill: the buy of a %s player is cancelled', async (standing, cause) => {
    await place(maker, { kind: 'buy', amount: '1', price: 0.9 })
    await market.db.updateTable('users').set({ standing }).where('id', '=', maker).execute()
    await cancelledBy(cause)
  })

  it('allow a suspended player’s sale', async () => {
    const { position } = await market.buy(maker, tokenId, '5')
    await place(maker, { kind: 'sale', amount: position.amount, price: 1.1 })
    await market.db.updateTable('users').set({ standing: 'suspended' }).where('id', '=', maker).execute()
    await market.buy(taker, tokenId, '20')
    expect(await readOrders()).toMatchObject([{ state: 'filled' }])
  })

  it('cancel an order of a revoked key', async () => {
    await place(maker, { kind: 'buy', amount: '1', price: 0.9 }, { keyId: 1 })
    await cancelledBy('API_KEY_INVALID')
  })

  it('cancel an order of a key that has expired since', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into api_keys (user_id, name, scopes, key_hash, created_at, expires_at)
      values (${maker}, 'bot', array['trade'], sha256('x'), now() - interval '2 days', now()) returning id`.execute(
      market.db,
    )
    await place(maker, { kind: 'buy', amount: '1', price: 0.9 }, { keyId: rows[0]?.id ?? 0 })
    await cancelledBy('API_KEY_INVALID')
  })

  it('count a fill towards the key’s spending limit, and cancel an order beyond it', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into api_keys (user_id, name, scopes, key_hash, created_at, spending_limit)
      values (${maker}, 'bot', array['trade'], sha256('x'), now(), 1.5) returning id`.execute(market.db)
    const keyId = rows[0]?.id ?? 0
    await place(maker, { kind: 'buy', amount: '2', price: 0.9 }, { keyId, spendingKeyId: keyId })
    await market.sell(taker, tokenId, '100000000')
    expect(await readOrders()).toMatchObject([{ state: 'waiting', left_amount: '0.500000000', fills: 1 }])
    await market.sell(taker, tokenId, '100000000')
    expect(await readOrders()).toMatchObject([{ state: 'cancelled', cause: 'SPENDING_LIMIT_REACHED' }])
  })

  it('end an order at its end time', async () => {
    await place(maker, { kind: 'buy', amount: '1', price: 0.9 })
    nowMs += HOUR_MS
    await market.sell(taker, tokenId, '100000000')
    expect(await readOrders()).toMatchObject([{ state: 'expired', cause: 'EXPIRED' }])
  })

  it('cancel a buy of a hidden token, but allow a sale', async () => {
    await place(maker, { kind: 'buy', amount: '1', price: 0.9 })
    await market.db.updateTable('tokens').set({ hidden_at: new Date() }).where('id', '=', tokenId).execute()
    await cancelledBy('HIDDEN')
  })

  it('cancel a sale of sealed tokens', async () => {
    const { position } = await market.buy(maker, tokenId, '30')
    await place(taker, { kind: 'stop', amount: '1000000', stopPrice: 0.9 })
    await market.engine.submit({ kind: 'seal', userId: taker, tokenId, term: 'day', bag: true })
    await market.sell(maker, tokenId, position.amount)
    expect(await readOrders()).toMatchObject([{ state: 'cancelled', cause: 'SEALED' }])
  })
})

describe('a cascade', () => {
  /** Places many orders of many players, one below the other. */
  async function ladder(count: number): Promise<void> {
    const players = await Promise.all(Array.from({ length: Math.ceil(count / 20) }, () => market.addPlayer('1000')))
    for (const [i, player] of players.entries()) {
      const size = Math.min(20, count - i * 20)
      for (let n = 0; n < size; n++)
        await place(player, { kind: 'buy', amount: '0.1', price: 0.97 - (i * 20 + n) / 2_000 })
    }
  }

  it('of more than 64 steps continues by itself before the next order of its token, nearest first', async () => {
    await ladder(150)
    const sale = market.sell(taker, tokenId, '400000000')
    const next = sale.then(() => market.buy(taker, tokenId, '1'))
    const { trade } = await next
    const orders = await readOrders()
    expect(orders.map(({ state }) => state)).toEqual(orders.map(() => 'filled'))
    const trades = await readTrades()
    expect(trades.slice(2, -1).map(({ request_key }) => request_key)).toEqual(
      orders.map(({ id }) => `order ${id} fill 1`),
    )
    expect(trade.seq).toBe(trades.length)
    expect(await readPool()).toMatchObject({ cascade_from: null, book_below: null })
    expect(await readBooks(market)).toMatchObject({ unbalancedTokens: 0, unbalancedPlayers: 0, brokenSequences: 0 })
  })

  it('is continued by another node, without any order, if the node that started it has stopped', async () => {
    await ladder(80)
    await market.engine.close()
    const spot = await readPrice()
    // This is the state after a node was killed right after the trade that started a cascade.
    const other = await createOther()
    await sql`update pools set book = book + 1, cascade = cascade + 1, cascade_from = ${spot.toFixed()},
      cascade_low = ${spot.toFixed()}, cascade_batches = 1 where token_id = ${tokenId}`.execute(market.db)
    await expect.poll(async () => (await readPool()).cascade_from).toBeNull()
    expect((await readOrders()).every(({ state }) => state === 'waiting')).toBe(true)
    await other.submit({ kind: 'sell', userId: taker, tokenId, tokens: parseTokens('400000000') })
    await expect.poll(async () => (await readOrders()).every(({ state }) => state === 'filled')).toBe(true)
  })

  it('ends with its fair, and its remaining orders are not filled', async () => {
    await place(maker, { kind: 'buy', amount: '1', price: 0.9 })
    await market.engine.close()
    // This is the state after a node was killed in the middle of a cascade, before the bell.
    const spot = (await readPrice()).toFixed()
    await sql`update waiting_orders set below = ${spot}::numeric * 1.1`.execute(market.db)
    await sql`update pools set book = book + 1, book_below = ${spot}::numeric * 1.1, cascade = cascade + 1,
      cascade_from = ${spot}, cascade_low = ${spot}, cascade_batches = 1, closes_at = now()
      where token_id = ${tokenId}`.execute(market.db)
    await createOther()
    await expect.poll(async () => (await readPool()).cascade_from).toBeNull()
    expect(await readOrders()).toMatchObject([{ state: 'waiting', fills: 0 }])
  })

  const createOther = async () => market.openEngine()
})
