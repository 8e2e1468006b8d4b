import { parseSol } from '@papermoon/amm'
import { type ConnectOptions, connect } from '@papermoon/db'
import type { LaunchOrder, TokenId, UserId } from '@papermoon/engine'
import { createTradingEngine, type TradingEngine } from '@papermoon/engine'
import { aToken, createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'

const PLAYERS = 8
const ORDERS_OF_EACH = 8
/** What the database has something against. */
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
  /** How many batches failed so far. */
  failures(): number
  close(): Promise<void>
}

/** An engine with a connection of its own. */
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

/** Does something in the database before each trade of `BAD_SOL`. */
async function onBadTrade(plpgsql: string): Promise<void> {
  const body = `begin if new.sol_amount = ${BAD_SOL} then ${plpgsql} end if; return new; end`
  await sql`create function interfere() returns trigger language plpgsql as ${sql.lit(body)}`.execute(market.db)
  await sql`create trigger interfere before insert on trades for each row execute function interfere()`.execute(
    market.db,
  )
}

const buy = (userId: UserId | undefined, sol: string, requestKey: string) =>
  ({ kind: 'buy', userId: userId as UserId, tokenId, sol: parseSol(sol), requestKey }) as const

/** Repeats an order with its key, as a client that is told to does: a busy machine may be slower than the short limits here. */
async function untilPlaced(engine: TradingEngine, order: ReturnType<typeof buy> | LaunchOrder): Promise<void> {
  await expect.poll(async () => await engine.submit(order), { timeout: 20_000 }).toBeDefined()
}

const tradeCount = async () => (await market.db.selectFrom('trades').select('id').execute()).length

describe('one order of a full batch that the database itself refuses', () => {
  it('fails alone, after few halvings, and all the others trade', async () => {
    await onBadTrade(`raise exception 'no reason that anybody knows';`)
    const { engine, failures, close } = openEngine()
    const orders = players.flatMap((userId, p) =>
      Array.from({ length: ORDERS_OF_EACH }, (_, i) => buy(userId, p === 5 && i === 3 ? BAD_SOL : '0.1', `${p}-${i}`)),
    )
    const answers = await Promise.allSettled(orders.map((order) => engine.submit(order)))
    const failed = answers.flatMap(({ status }, i) => (status === 'rejected' ? [orders[i]?.requestKey] : []))
    expect(failed).toEqual(['5-3'])
    expect(await tradeCount()).toBe(orders.length - 1)
    // Halved until it stands alone: once for each power of two in the batch, and itself.
    expect(failures()).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(orders.length)))
    await close()
  })
})

describe('PostgreSQL’s own limits', () => {
  it('on a statement: an order that takes too long is told to come back, nothing is done, and others trade on', async () => {
    await onBadTrade('perform pg_sleep(60);')
    const { engine, close } = openEngine({ statementTimeoutMs: 1_500 })
    await expect(engine.submit(buy(players[0], BAD_SOL, 'slow'))).rejects.toMatchObject({
      code: 'BUSY',
      retryAfterS: 1,
    })
    await untilPlaced(engine, buy(players[1], '1', 'quick'))
    expect(await tradeCount()).toBe(1)
    await close()
  })

  it('on a transaction that stands still: a process that stalls in it loses nothing and trades on', async () => {
    let stallMs = 1_500
    const stall = () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
      stallMs = 0
      return new Date()
    }
    const { engine, failures, close } = openEngine({ idleInTransactionTimeoutMs: 500 }, stall)
    // A launch: buys and sales have no transaction that is open while they are computed.
    const order = {
      kind: 'launch',
      userId: players[0] as UserId,
      token: aToken,
      initialBuy: parseSol('1'),
      requestKey: 'stalled',
    } as const
    await expect(engine.submit(order)).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 1 })
    expect(failures()).toBe(1)
    await untilPlaced(engine, order)
    expect(await tradeCount()).toBe(1)
    await close()
  })
})
