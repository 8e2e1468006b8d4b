import { parseSol, parseTokens } from '@papermoon/amm'
import { connect } from '@papermoon/db'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../src/clock.ts'
import type { TokenId, UserId } from '../src/ids.ts'
import type { Order } from '../src/orders.ts'
import { EngineConnection } from '../src/sql/connection.ts'
import { prepareSession } from '../src/sql/session.ts'
import { WRITE_MANY, WRITE_ONE } from '../src/sql/write-statement.ts'
import { createTestMarket, type TestMarket } from '../src/testing/test-market.ts'
import { createTradingEngine, type TradingEngine } from '../src/trading-engine.ts'
import { startCuttingProxy } from './cutting-proxy.ts'

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

/** An engine with connections of its own, by a name; `warnings` are lines of its log. */
function openEngine(
  address = market.address,
  applicationName = 'other',
): { engine: TradingEngine; warnings: string[] } {
  const client = connect(address, { poolMax: 4, applicationName })
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) })
  const engine = createTradingEngine({ pool: client.pool, clock: systemClock, log, publish: () => {} })
  onTestFinished(async () => {
    await engine.close()
    await client.close()
  })
  return { engine, warnings }
}

const outcomeOf = (engine: TradingEngine, order: Order) =>
  engine.submit(order).then(
    () => 'done',
    ({ code }) => code,
  )

describe('somebody who holds a row', () => {
  it('makes the market wait for it once, however long it is held', async () => {
    const free = await market.launch(other)
    const { engine, warnings } = openEngine()
    const buy = (userId: UserId, tokenId: TokenId) =>
      outcomeOf(engine, { kind: 'buy', userId, tokenId, sol: parseSol('0.1') })
    expect([await buy(one, token), await buy(other, free)]).toEqual(['done', 'done'])
    const holder = await market.pool.connect()
    await holder.query('begin')
    await holder.query('select from pools where token_id = $1 for update', [token])
    // Longer than the engine is careful after it waited once.
    const untilMs = performance.now() + 2_500
    while (performance.now() < untilMs) {
      expect(await Promise.all([buy(one, token), buy(other, free)])).toEqual(['BUSY', 'done'])
    }
    await holder.query('rollback')
    holder.release()
    expect(warnings.filter((line) => line.includes('lock timeout'))).toHaveLength(1)
    await expect.poll(() => buy(one, token), { timeout: 20_000 }).toBe('done')
  })
})

describe('a connection that the engine keeps', () => {
  it('is opened once, whoever asks for it at the same time, and given back', async () => {
    const { pool, close } = connect(market.address, { poolMax: 4 })
    const connection = new EngineConnection({ pool, log: pino({ level: 'silent' }) })
    const [first, second] = await Promise.all([connection.client(), connection.client(), connection.connect()])
    expect(first).toBe(second)
    expect(pool.totalCount).toBe(1)
    await connection.close()
    expect(pool.totalCount).toBe(0)
    await close()
  })
})

describe('a key whose order was lost on its way to PostgreSQL', () => {
  // Twice it has to be seen waiting within the half second that a lock is waited for.
  it('is not refused while the lost order may still be placed', { retry: 3 }, async () => {
    // All but a little is in the token: only the sale pays for the order.
    const { position } = await market.buy(one, token, '99.9')
    const proxy = await startCuttingProxy(market.address)
    const { engine } = openEngine(proxy.address, 'lossy')
    const sell = (tokens: string) =>
      ({ kind: 'sell', userId: one, tokenId: token, tokens: parseTokens(tokens) }) as const
    expect(await outcomeOf(engine, sell('1'))).toBe('done')
    expect(await outcomeOf(engine, { kind: 'buy', userId: other, tokenId: token, sol: parseSol('1') })).toBe('done')
    const order = { kind: 'buy', userId: one, tokenId: token, sol: parseSol('5'), requestKey: 'lost' } as const
    // The last account that the statement needs is held, so that it is still under way when the connection breaks.
    const holder = await market.pool.connect()
    await holder.query('begin')
    await holder.query('select from accounts where user_id = $1 for no key update', [other])
    const lost = [
      outcomeOf(engine, sell((Number(position.amount) / 2).toFixed(0))),
      outcomeOf(engine, order),
      outcomeOf(engine, { kind: 'buy', userId: other, tokenId: token, sol: parseSol('1') }),
    ]
    await untilSomebodyWaits('lossy')
    proxy.close()
    expect(await Promise.all(lost)).toEqual(Array(3).fill('OUTCOME_UNKNOWN'))
    const repeated = outcomeOf(openEngine().engine, order)
    await Promise.race([untilSomebodyWaits('other'), repeated])
    await holder.query('rollback')
    holder.release()
    expect(['done', 'BUSY']).toContain(await repeated)
    await expect.poll(() => outcomeOf(openEngine().engine, order), { timeout: 20_000 }).toBe('done')
    const trades = await market.db.selectFrom('trades').select('id').where('request_key', '=', 'lost').execute()
    expect(trades).toHaveLength(1)
  })

  async function untilSomebodyWaits(applicationName: string): Promise<void> {
    const waiting = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where application_name = ${applicationName} and wait_event_type = 'Lock'`.execute(market.db)
      return rows.length
    }
    await expect.poll(waiting, { timeout: 20_000, interval: 5 }).toBe(1)
  }
})

describe('the statement that writes a batch', () => {
  it.each([
    ['one order', WRITE_ONE, 'null'],
    ['many orders', WRITE_MANY, "'{}'"],
  ])(
    'of %s looks every row up by its key, though it was planned while the tables were nearly empty',
    async (_, text, nothing) => {
      await market.buy(one, token, '1')
      await sql`analyze`.execute(market.db)
      const plan = await planOf(text, nothing)
      const scans = plan.filter((line) => /Index (Only )?Scan/.test(line))
      expect(scans.length).toBeGreaterThan(5)
      for (const [i, line] of plan.entries()) {
        if (/Index (Only )?Scan/.test(line)) expect(plan[i + 1], line).toContain('Index Cond')
      }
      expect(plan.join('\n')).not.toContain('Seq Scan')
    },
  )

  /** As a connection of the engine plans it, for whatever comes; `nothing` is a parameter without a row. */
  async function planOf(text: string, nothing: string): Promise<string[]> {
    const places = [...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place))
    const parameters = Array(Math.max(...places)).fill(nothing)
    const client = await market.pool.connect()
    try {
      await prepareSession(client)
      await client.query(`prepare write_batch as ${text}`)
      const { rows } = await client.query(`explain (costs off) execute write_batch(${parameters.join(',')})`)
      return rows.map((row) => String(row['QUERY PLAN']))
    } finally {
      client.release(true)
    }
  }
})
