import { parseSol } from '@papermoon/amm'
import { type ConnectOptions, connect } from '@papermoon/db'
import type { LaunchOrder, TokenId, UserId } from '@papermoon/engine'
import { createTradingEngine, type TradingEngine } from '@papermoon/engine'
import { aToken, createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const PLAYERS = 8
const ORDERS_OF_EACH = 8
/** An amount that the database refuses or delays. */
const BAD_SOL = '0.666'

let market: TestMarket
let players: UserId[]
let tokenId: TokenId
beforeEach(async () => {
  market = await createTestMarket()
  players = []
  for (let i = 0; i < PLAYERS; i++) players.push(await market.addPlayer())
  tokenId = await market.launch(players[0] as UserId)
})
afterEach(async () => {
  expect((await auditMarket(market.pool)).shown).toEqual([])
  await market.close()
})

interface OwnEngine {
  readonly engine: TradingEngine
  /** Number of failed batches. */
  failures(): number
  close(): Promise<void>
}

/** An engine with its own connections. */
function openEngine(options: ConnectOptions = {}, now: () => Date = () => new Date()): OwnEngine {
  const client = connect(market.address, { poolMax: 2, ...options })
  let failures = 0
  const log = pino(
    { level: 'warn' },
    {
      write: (line: string) => {
        if (line.includes('a batch failed')) failures++
      },
    },
  )
  const engine = createTradingEngine({ pool: client.pool, clock: { now }, log, publish: () => {} })
  return {
    engine,
    failures: () => failures,
    close: async () => {
      await engine.close()
      await client.close()
    },
  }
}

/** Runs PL/pgSQL before each trade of `BAD_SOL`. */
async function onBadTrade(plpgsql: string): Promise<void> {
  const body = `begin if new.sol_amount = ${BAD_SOL} then ${plpgsql} end if; return new; end`
  await sql`create function interfere() returns trigger language plpgsql as ${sql.lit(body)}`.execute(market.db)
  await sql`create trigger interfere before insert on trades for each row execute function interfere()`.execute(
    market.db,
  )
}

const buy = (userId: UserId | undefined, sol: string, requestKey: string) =>
  ({ kind: 'buy', userId: userId as UserId, tokenId, sol: parseSol(sol), requestKey }) as const

/** Repeats an order with its key until it succeeds: a loaded machine may exceed the short limits used here. */
async function submitUntilDone(engine: TradingEngine, order: ReturnType<typeof buy> | LaunchOrder): Promise<void> {
  await expect.poll(async () => await engine.submit(order), { timeout: WAIT_MAX_MS }).toBeDefined()
}

const tradeCount = async () => (await market.db.selectFrom('trades').select('id').execute()).length

describe('an order that the database refuses within a full batch', () => {
  it('fails alone after few halvings, and all others are executed', async () => {
    await onBadTrade(`raise exception 'unknown reason';`)
    const { engine, failures, close } = openEngine()
    const orders = players.flatMap((userId, p) =>
      Array.from({ length: ORDERS_OF_EACH }, (_, i) => buy(userId, p === 5 && i === 3 ? BAD_SOL : '0.1', `${p}-${i}`)),
    )
    const answers = await Promise.allSettled(orders.map((order) => engine.submit(order)))
    const failed = answers.flatMap(({ status }, i) => (status === 'rejected' ? [orders[i]?.requestKey] : []))
    expect(failed).toEqual(['5-3'])
    expect(await tradeCount()).toBe(orders.length - 1)
    // One failure per halving until the order is alone, and its own.
    expect(failures()).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(orders.length)))
    await close()
  })
})

describe('PostgreSQL’s own limits', () => {
  it('on statements: a slow order is answered BUSY and not executed, and others trade on', async () => {
    await onBadTrade('perform pg_sleep(60);')
    const { engine, close } = openEngine({ statementTimeoutMs: 1_500 })
    await expect(engine.submit(buy(players[0], BAD_SOL, 'slow'))).rejects.toMatchObject({
      code: 'BUSY',
      retryAfterS: 1,
    })
    await submitUntilDone(engine, buy(players[1], '1', 'quick'))
    expect(await tradeCount()).toBe(1)
    await close()
  })

  it('on idle transactions: a process that stalls within one loses nothing and trades on', async () => {
    let stallMs = 1_500
    const stall = () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
      stallMs = 0
      return new Date()
    }
    const { engine, failures, close } = openEngine({ idleInTransactionTimeoutMs: 500 }, stall)
    // A launch, since buys and sales have no open transaction while they are computed.
    const order = {
      kind: 'launch',
      userId: players[0] as UserId,
      token: aToken,
      initialBuy: parseSol('1'),
      requestKey: 'stalled',
    } as const
    await expect(engine.submit(order)).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 1 })
    expect(failures()).toBe(1)
    await submitUntilDone(engine, order)
    expect(await tradeCount()).toBe(1)
    await close()
  })
})
