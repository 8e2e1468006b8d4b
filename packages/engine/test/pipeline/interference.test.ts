import { parseSol, parseTokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { connect } from '@papermoon/db'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UPDATE_ACCOUNTS } from '../../src/bulk/write-history.ts'
import type { Order } from '../../src/orders.ts'
import { configureConnection, EngineConnection } from '../../src/sql/connection.ts'
import { WRITE_MANY, WRITE_MANY_LIMITED, WRITE_ONE, WRITE_ONE_LIMITED } from '../../src/sql/write-statement.ts'
import { CHANGE_WAITING, WRITE_BOOKS } from '../../src/sql/write-waiting.ts'
import { ENGINE_LIMITS, type TradingEngine } from '../../src/trading-engine.ts'
import { openNode, openProxy } from '../support/open-node.ts'
import { createTestMarket, ManualTimers, type TestMarket } from '../support/test-market.ts'

let market: TestMarket
let one: UserId
let other: UserId
let token: TokenId
beforeEach(async () => {
  market = await createTestMarket()
  one = await market.addPlayer()
  other = await market.addPlayer()
  token = await market.launch(other)
})
afterEach(() => market.close())

const submit = (engine: TradingEngine, order: Order) =>
  engine.submit(order).then(
    () => 'done',
    ({ code }) => code,
  )

describe('a row locked by another transaction', () => {
  it('delays the market only once, however long it stays locked', async () => {
    const free = await market.launch(other)
    const timers = new ManualTimers()
    const { engine, warnings } = openNode(market.address, { timers })
    const buy = (userId: UserId, tokenId: TokenId) =>
      submit(engine, { kind: 'buy', userId, tokenId, sol: parseSol('0.1') })
    expect([await buy(one, token), await buy(other, free)]).toEqual(['done', 'done'])
    const holder = await market.pool.connect()
    await holder.query('begin')
    await holder.query('select from pools where token_id = $1 for update', [token])
    // This is longer than the engine skips locked rows after it has waited once.
    for (let passedMs = 0; passedMs < 2_500; passedMs += 100) {
      timers.pass(100)
      expect(await Promise.all([buy(one, token), buy(other, free)])).toEqual(['BUSY', 'done'])
    }
    await holder.query('rollback')
    holder.release()
    expect(warnings.filter((line) => line.includes('lock timeout'))).toHaveLength(1)
    expect(await buy(one, token)).toBe('done')
  })

  it('is waited for again a second later, if others hold it for short moments in turn, like another node', async () => {
    const timers = new ManualTimers()
    const { engine } = openNode(market.address, { timers })
    const buy = () => submit(engine, { kind: 'buy', userId: one, tokenId: token, sol: parseSol('0.1') })
    const holdForAMoment = async () => {
      await market.db.transaction().execute(async (tx) => {
        await sql`select from pools where token_id = ${token} for no key update`.execute(tx)
        await sql`select pg_sleep(0.02)`.execute(tx)
      })
    }
    const holder = await market.pool.connect()
    await holder.query('begin')
    await holder.query('select from pools where token_id = $1 for no key update', [token])
    expect(await buy()).toBe('BUSY')
    await holder.query('rollback')
    holder.release()
    // One transaction holds the row and two wait for it, so the row is never free.
    let isOver = false
    const others = [0, 1, 2].map(async () => {
      while (!isOver) await holdForAMoment()
    })
    const answers: string[] = []
    while (answers.slice(-5).join() !== Array(5).fill('done').join()) {
      timers.pass(1_000)
      answers.push(await buy())
    }
    isOver = true
    await Promise.all(others)
  })
})

describe('a connection of the engine', () => {
  it('is opened once for concurrent callers and closed at the end', async () => {
    const { pool, close } = connect(market.address, { poolMax: 4 })
    const connection = new EngineConnection({ pool, log: pino({ level: 'silent' }), lockTimeoutMs: 500 })
    const [first, second] = await Promise.all([connection.client(), connection.client(), connection.connect()])
    expect(first).toBe(second)
    expect(pool.totalCount).toBe(1)
    await connection.close()
    expect(pool.totalCount).toBe(0)
    await close()
  })
})

describe('the repeat of an order whose connection was lost', () => {
  // The lock timeout is long enough for the test to see the waiting statement on any machine.
  const limits = { ...ENGINE_LIMITS, lockTimeoutMs: 20_000 }

  it('is not rejected while the first attempt may still be committed', async () => {
    // Nearly all SOL is in the token, so the buy succeeds only after the sale.
    const { position } = await market.buy(one, token, '99.9')
    const proxy = await openProxy(market.address)
    const { engine } = openNode(proxy.address, { applicationName: 'lossy', limits })
    const sell = (tokens: string) =>
      ({ kind: 'sell', userId: one, tokenId: token, tokens: parseTokens(tokens) }) as const
    expect(await submit(engine, sell('1'))).toBe('done')
    expect(await submit(engine, { kind: 'buy', userId: other, tokenId: token, sol: parseSol('1') })).toBe('done')
    const order = { kind: 'buy', userId: one, tokenId: token, sol: parseSol('5'), requestKey: 'lost' } as const
    // Lock the last account that the write needs, so that the write is still running when the connection breaks.
    const holder = await market.pool.connect()
    await holder.query('begin')
    await holder.query('select from accounts where user_id = $1 for no key update', [other])
    const lost = [
      submit(engine, sell((Number(position.amount) / 2).toFixed(0))),
      submit(engine, order),
      submit(engine, { kind: 'buy', userId: other, tokenId: token, sol: parseSol('1') }),
    ]
    await waitUntilBlocked('lossy')
    proxy.close()
    expect(await Promise.all(lost)).toEqual(Array(3).fill('OUTCOME_UNKNOWN'))
    const repeated = submit(openNode(market.address, { applicationName: 'other', limits }).engine, order)
    await Promise.race([waitUntilBlocked('other'), repeated])
    await holder.query('rollback')
    holder.release()
    expect(['done', 'BUSY']).toContain(await repeated)
    await expect.poll(() => submit(openNode(market.address).engine, order)).toBe('done')
    const trades = await market.db.selectFrom('trades').select('id').where('request_key', '=', 'lost').execute()
    expect(trades).toHaveLength(1)
  })

  async function waitUntilBlocked(applicationName: string): Promise<void> {
    const waiting = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where application_name = ${applicationName} and wait_event_type = 'Lock'`.execute(market.db)
      return rows.length
    }
    await expect.poll(waiting, { interval: 5 }).toBe(1)
  }
})

describe('the write statement', () => {
  it.each([
    ['one order', WRITE_ONE, 'null', 6],
    ['many orders', WRITE_MANY, "'{}'", 6],
    ['changed waiting orders', CHANGE_WAITING.text, "'{}'", 1],
    ['order books in pools', WRITE_BOOKS.text, "'{}'", 4],
  ])(
    'of %s looks up every row by key, although it was planned while the tables were nearly empty',
    async (_, text, empty, least) => {
      await market.buy(one, token, '1')
      await sql`analyze`.execute(market.db)
      const plan = await explain(text, empty)
      const scans = plan.filter((line) => /Index (Only )?Scan/.test(line))
      expect(scans.length).toBeGreaterThanOrEqual(least)
      for (const [i, line] of plan.entries()) {
        if (/Index (Only )?Scan/.test(line)) expect(plan[i + 1], line).toContain('Index Cond')
      }
      expect(plan.join('\n')).not.toContain('Seq Scan')
    },
  )

  it.each([
    ['one order', WRITE_ONE],
    ['many orders', WRITE_MANY],
    ['one order by a key', WRITE_ONE_LIMITED],
    ['many orders by keys', WRITE_MANY_LIMITED],
    ['changed waiting orders', CHANGE_WAITING.text],
    ['a history', UPDATE_ACCOUNTS],
  ])('of %s fails if a row has changed since it was read', async (_, text) => {
    const [none, missing] = text.includes('unnest') ? ["'{}'", "'{-1}'"] : ['null', '-1']
    const asserted =
      /cardinality\(\$(\d+)|\(\$(\d+)::int is not null\)::int|not exists \(select from (?:unnest\(|\(select )\$(\d+)/g
    const places = [...text.matchAll(asserted)].map((found) => Number(found.slice(1).find(Boolean)))
    expect(places.length).toBeGreaterThan(0)
    for (const place of places) {
      const run = execute(text, 'execute', (at) => (at === place ? missing : none))
      await expect(run, `$${place}`).rejects.toMatchObject({ code: 'PM001' })
    }
  })

  /** Returns the generic plan of an engine connection; `empty` is a parameter without rows. */
  const explain = async (text: string, empty: string) =>
    (await execute(text, 'explain (costs off) execute', () => empty)).map((row) => String(row['QUERY PLAN']))

  async function execute(text: string, how: string, parameter: (place: number) => string) {
    const places = [...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place))
    const parameters = Array.from({ length: Math.max(...places) }, (_, index) => parameter(index + 1))
    // The first parameter is the number of positions to reserve.
    if (text.includes('position + $1::bigint')) parameters[0] = '0'
    const client = await market.pool.connect()
    try {
      await configureConnection(client)
      await client.query(`prepare write_batch as ${text}`)
      return (await client.query(`${how} write_batch(${parameters.join(',')})`)).rows
    } finally {
      client.release(true)
    }
  }
})
