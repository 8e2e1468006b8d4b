import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { deleteDueAccounts } from '../../../src/features/account/deletion/delete-due-accounts.ts'
import { auditMarket } from '../../../src/features/audit/audit-market.ts'
import { runAudit } from '../../../src/features/audit/run-audit.ts'
import { leaveFair } from '../../../src/features/fairs/enter.ts'
import { setAccountStatus, setHidden } from '../../../src/features/moderation/acts.ts'
import { notifyOwners } from '../../../src/features/notices/follow/follow-market.ts'
import { endDueOrders, PORTION } from '../../../src/features/trading/waiting/end-orders.ts'
import { shareTestServer } from '../../support/test-server.ts'
import { openWaitingMarket, type WaitingMarket } from '../../support/waiting-market.ts'

let market: WaitingMarket
const server = await shareTestServer({ hasJobs: false })
beforeEach(async () => {
  market = await openWaitingMarket(server)
})

const limitBuy = () => ({ kind: 'buy', solAmount: '1', price: market.at(0.9) })
const placeBuy = () => market.place(limitBuy())
async function placeBoth() {
  const { position } = (await market.maker.post('/api/tokens/buy', { tokenId: market.tokenId, solAmount: '5' })).json()
  return [
    await placeBuy(),
    await market.place({ kind: 'stop', tokenAmount: position.amount, stopPrice: market.at(0.9), leastPrice: 'any' }),
  ]
}
const ended = async () => (await market.maker.get('/api/waiting-orders?state=ended')).json()
const waiting = async () => (await market.maker.get('/api/waiting-orders')).json()
const db = () => server.app.platform.db
const userId = async () => (await market.maker.get('/api/auth/user')).json().id

describe('a waiting order is ended', () => {
  it('by a rug pull at once, and a job then ends its row, one portion at a time', async () => {
    await placeBoth()
    await market.taker.post(`/api/tokens/${market.tokenId}/rug`, {})
    expect(await ended()).toMatchObject([{ cause: 'TOKEN_CLOSED' }, { state: 'cancelled', cause: 'TOKEN_CLOSED' }])
    expect(await waiting()).toEqual([])
    expect(await endDueOrders(db())).toBe(2)
    expect(await ended()).toMatchObject([{ cause: 'TOKEN_CLOSED' }, { cause: 'TOKEN_CLOSED' }])
    const pool = await db()
      .selectFrom('pools')
      .selectAll()
      .where('token_id', '=', market.tokenId)
      .executeTakeFirstOrThrow()
    expect([pool.book_below, pool.book_above]).toEqual([null, null])
    expect(PORTION).toBe(500)
  })

  it('by its expiry, which its player sees at once, before a job ends its row', async () => {
    const { id } = await placeBuy()
    await sql`update waiting_orders set expires_at = now() where id = ${id}`.execute(db())
    expect(await ended()).toMatchObject([{ state: 'expired', cause: 'EXPIRED' }])
    expect(await endDueOrders(db())).toBe(1)
    expect(await db().selectFrom('waiting_orders').select('state').where('id', '=', id).execute()).toEqual([
      { state: 'expired' },
    ])
  })

  it('by the hiding of its token if it is a buy, but not if it is a stop', async () => {
    const [, stop] = await placeBoth()
    await setHidden(db(), market.tokenId as never, true)
    expect(await endDueOrders(db())).toBe(1)
    expect(await ended()).toMatchObject([{ kind: 'buy', cause: 'HIDDEN' }])
    expect(await waiting()).toMatchObject([{ id: stop?.id }])
    const { amount } = (await market.taker.get(`/api/tokens/${market.tokenId}/position`)).json()
    await market.sell(amount)
    expect((await ended())[0]).toMatchObject({ id: stop?.id, fills: 1 })
  })

  it.each([
    ['suspended', ['buy'], 'ACCOUNT_SUSPENDED'],
    ['frozen', ['stop', 'buy'], 'ACCOUNT_FROZEN'],
  ] as const)('by its player being %s, in the same transaction; those of others stay', async (status, kinds, cause) => {
    await placeBoth()
    const other = await market.place({ ...limitBuy(), price: market.at(0.5) }, market.taker)
    const id = await userId()
    await db()
      .transaction()
      .execute((tx) => setAccountStatus(tx, id, { status, reason: 'a test', now: new Date() }))
    const rows = await db()
      .selectFrom('waiting_orders')
      .selectAll()
      .where('user_id', '=', id)
      .orderBy('id', 'desc')
      .execute()
    expect(rows.filter(({ state }) => state === 'cancelled')).toMatchObject(kinds.map((kind) => ({ kind, cause })))
    expect((await market.taker.get('/api/waiting-orders')).json()).toMatchObject([{ id: other.id }])
  })

  it('not before its last fill, even if the clock of the fill’s node is ahead', async () => {
    await placeBoth()
    await sql`update pools set last_event_at = now() + interval '1 minute' where token_id = ${market.tokenId}`.execute(
      db(),
    )
    await setHidden(db(), market.tokenId as never, true)
    expect(await endDueOrders(db())).toBe(1)
    const id = await userId()
    await db()
      .transaction()
      .execute((tx) => setAccountStatus(tx, id, { status: 'frozen', reason: 'a test', now: new Date() }))
    const { rows } = await sql`select w.kind, w.ended_at = p.last_event_at as is_after
      from waiting_orders w join pools p using (token_id) where token_id = ${market.tokenId} order by w.id`.execute(
      db(),
    )
    await sql`update pools p set last_event_at = (select max(created_at) from trades t where t.token_id = p.token_id)
      where token_id = ${market.tokenId}`.execute(db())
    expect(rows).toEqual([
      { kind: 'buy', is_after: true },
      { kind: 'stop', is_after: true },
    ])
  })

  it('and loses its terms after 30 days, but never its key', async () => {
    const { id, key } = await placeBuy()
    await market.maker.post('/api/waiting-orders/cancel', {})
    await sql`update waiting_orders set placed_at = placed_at - interval '40 days', ended_at = now() - interval '31 days'
      where id = ${id}`.execute(db())
    await endDueOrders(db())
    const found = (await market.maker.get(`/api/orders/${key}`)).json()
    expect(found).toMatchObject({
      status: 'cancelled',
      waitingOrder: { id, amount: null, price: null, cause: 'PLAYER' },
    })
    const other = await market.maker.post(
      '/api/waiting-orders',
      { ...limitBuy(), tokenId: market.tokenId, solAmount: '2' },
      { 'idempotency-key': key },
    )
    expect(other.body).toContain('already used for another order')
  })
})

/** The functions below end orders outside the engine. Each gets the ids of the maker and of the maker's room. */
const setStatus = (status: 'suspended' | 'frozen') => (userId: UserId) =>
  inTransaction((tx) => setAccountStatus(tx, userId, { status, reason: 'a test', now: new Date() }))
const leave = (isRemoved: boolean) => (userId: UserId, id: number) => leaveFair(server.app, userId, { id, isRemoved })
const inTransaction = (act: (tx: Tx) => Promise<unknown>) => db().transaction().execute(act)
const ENDINGS: Record<string, (userId: UserId, fairId: number) => Promise<unknown>> = {
  ACCOUNT_SUSPENDED: setStatus('suspended'),
  ACCOUNT_FROZEN: setStatus('frozen'),
  ACCOUNT_DELETED: async (userId) => {
    await sql`update users set deletion_due_at = now() where id = ${userId}`.execute(db())
    await deleteDueAccounts(server.app)
  },
  LEFT_FAIR: leave(false),
  'LEFT_FAIR by its host': leave(true),
  EXPIRED: (userId) =>
    inTransaction(async (tx) => {
      await sql`update waiting_orders set expires_at = clock_timestamp() where user_id = ${userId}`.execute(tx)
      await endDueOrders(tx)
    }),
  HIDDEN: () =>
    inTransaction(async (tx) => {
      await setHidden(tx, market.tokenId as never, true)
      await endDueOrders(tx)
    }),
}
const FIRST = {
  ending: { reads: /with reach as/, writes: /update (\S+\.)?"?waiting_orders"? w\s+set state/ },
  fill: {
    reads: /waiting_orders"? w?.* for update|set expires_at|from fairs.accounts where fair_id.*for no key update/s,
    writes: /with changed as/,
  },
} as const

/**
 * Holds back the commit of the connection that first sends a statement like `writes`, and then starts the second call.
 * Lets the commit go once another connection has sent a statement like `reads`. The second call has then decided by the
 * state before the first call, or waits for its locks.
 */
async function race({ reads, writes }: { reads: RegExp; writes: RegExp }, [first, second]: (() => Promise<unknown>)[]) {
  const { query } = pg.Client.prototype
  const [held, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let writer: unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: unknown, ...args: unknown[]) {
    const [statement] = args as [string | pg.QueryConfig]
    const text = typeof statement === 'string' ? statement : statement.text
    const send = () => Reflect.apply(query, this, args)
    if (writes.test(text)) writer ??= this
    if (text === 'commit' && this === writer) {
      held.resolve()
      return read.promise.then(send)
    }
    const answer = send()
    if (reads.test(text) && this !== writer) {
      // A statement that waits for a lock of the first call gets no result before the commit, so only others are
      // awaited.
      if (reads === FIRST.ending.reads || text.includes('skip locked')) answer.then(() => read.resolve(), read.reject)
      else read.resolve()
    }
    return answer
  } as never)
  try {
    const done = first?.()
    await Promise.race([held.promise, done])
    await Promise.all([done, second?.()])
  } finally {
    spy.mockRestore()
  }
}

describe.each(Object.entries(ENDINGS))('an order that a fill reaches and %s ends at once', (name, end) => {
  const [cause] = name.split(' ')
  beforeEach(async () => {
    market = await openWaitingMarket(server, { isRoom: cause === 'LEFT_FAIR' })
  })

  it.each(['ending', 'fill'] as const)('ends once if the %s is first', async (first) => {
    const { id } = await market.place({ ...limitBuy(), solAmount: '50' })
    const maker = await userId()
    const acts = [() => end(maker, market.fairId ?? 0), () => market.sell('30000000')]
    await race(FIRST[first], first === 'ending' ? acts : acts.reverse())
    const orders = sql.table(market.fairId === undefined ? 'waiting_orders' : 'fairs.waiting_orders')
    const { rows } = await sql`select state, cause, fills from ${orders} where id = ${id}`.execute(db())
    const isOver = first === 'ending' || name !== 'HIDDEN'
    // The job skips an order that is being filled, and ends the rest of the order in its next run.
    expect(rows).toMatchObject([{ fills: first === 'ending' ? 0 : 1, cause: isOver ? cause : null }])
    expect((await runAudit(server.database)).shown).toEqual([])
  })
})

describe('the player of a waiting order', () => {
  it('is notified of a fill, but not of their own cancellation', async () => {
    const before = await db()
      .selectFrom('waiting_orders')
      .select(({ fn }) => fn.max('position').as('last'))
      .executeTakeFirst()
    await placeBuy()
    await placeBuy()
    const [own] = await waiting()
    await market.maker.post('/api/waiting-orders/cancel', { ids: [own.id] })
    await market.sell('100000000')
    const range = { after: before?.last ?? 0, through: Number.MAX_SAFE_INTEGER }
    const told = await db()
      .transaction()
      .execute((tx) => notifyOwners(tx, range))
    expect(told).toBe(1)
    const { news } = (await market.maker.get('/api/notices')).json()
    expect(news).toMatchObject([{ kind: 'order', order: { kind: 'buy', state: 'filled', cause: null } }])
  })
})

describe('the player of a stop that cannot sell at its least price', () => {
  it.each(['stop', 'bracket'])('is notified once that their %s is triggered, not with each trade', async (kind) => {
    const { position } = (
      await market.maker.post('/api/tokens/buy', { tokenId: market.tokenId, solAmount: '5' })
    ).json()
    const least = market.at(0.9)
    const prices = { stopPrice: market.at(0.95), leastPrice: least, ...(kind === 'bracket' && { price: market.at(2) }) }
    const { id } = await market.place({ kind, tokenAmount: position.amount, ...prices })
    const tellSince = async (act: () => Promise<unknown>) => {
      const { rows } = await sql<{ last: number }>`select position as last from journal`.execute(db())
      await act()
      const range = { after: rows[0]?.last ?? 0, through: Number.MAX_SAFE_INTEGER }
      const told = await db()
        .transaction()
        .execute((tx) => notifyOwners(tx, range))
      return { told, order: (await market.maker.get('/api/notices')).json().news[0].order }
    }
    const { told, order } = await tellSince(() => market.sell('200000000'))
    expect(await waiting()).toMatchObject([{ id, isTriggered: true, fills: 0 }])
    expect([told, order]).toMatchObject([1, { kind, state: 'waiting' }])
    expect(Number(order.waitsAt)).toBe(Number(least))
    expect((await tellSince(() => market.sell('1000000'))).told).toBe(0)
    // The fill causes a separate notice.
    const buy = { tokenId: market.tokenId, solAmount: '60' }
    const filled = await tellSince(() => market.taker.post('/api/tokens/buy', buy))
    expect(filled).toMatchObject({ told: 1, order: { kind, state: 'filled', waitsAt: null } })
  })
})

describe('an order in a fair', () => {
  it('expires at the planned end of its fair at the latest', async () => {
    market = await openWaitingMarket(server, { isRoom: true })
    const { endsAt } = (await market.taker.get(`/api/fairs/${market.fairId}`)).json()
    expect((await placeBuy()).expiresAt).toBe(endsAt)
    expect(Date.parse((await market.place({ ...limitBuy(), lasts: 'hour' })).expiresAt)).toBeLessThanOrEqual(
      Date.parse(endsAt),
    )
  })
})

describe('the audit of waiting orders', () => {
  it('finds that every order matches its trades and its end', async () => {
    await placeBoth()
    await market.place({ kind: 'sale', tokenAmount: '1000000', price: market.at(1.5) })
    await market.sell('100000000')
    expect((await auditMarket(server.database.pool)).shown).toEqual([])
  })

  it.each([
    ['left_amount = left_amount + 1', 'do not add up to the order’s amount'],
    ["cause = 'PLAYER'", 'the order’s state does not match its end reason'],
    ['fills = fills + 1', 'but 1 trades belong to it'],
    [
      "placed_at = placed_at + interval '1 hour', expires_at = expires_at + interval '2 hours', ended_at = ended_at + interval '2 hours'",
      'the wrong token, side or time',
    ],
    ['price = price / 2', 'worse than the order’s price'],
  ])('names an order with %s', async (change, sentence) => {
    await placeBuy()
    await market.sell('100000000')
    const [order] = await ended()
    await sql.raw(`update waiting_orders set ${change} where id = ${order.id}`).execute(db())
    const { shown } = await auditMarket(server.database.pool)
    expect(shown.join()).toContain(sentence)
    expect(shown.join()).toContain(`waiting order ${order.id} `)
    await sql`delete from waiting_orders where id = ${order.id}`.execute(db())
    await sql`update trades set request_key = null where request_key = ${`order ${order.id} fill 1`}`.execute(db())
  })

  it('names a pool whose row has a wrong nearest trigger', async () => {
    await placeBuy()
    await sql`update pools set book_below = book_below / 2 where token_id = ${market.tokenId}`.execute(db())
    expect((await auditMarket(server.database.pool)).shown.join()).toContain(
      'an order’s trigger is nearer to the price than the nearest trigger in the pool’s row',
    )
    await sql`update pools set book_below = book_below * 2 where token_id = ${market.tokenId}`.execute(db())
  })
})
