import type { TokenId, UserId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { inStreamingSnapshot } from '../../src/features/audit/streaming-snapshot.ts'
import { tradeAtRandom } from '../support/random-trading.ts'

let market: TestMarket
let creator: UserId
let trader: UserId
let tokenId: TokenId
/** The time that the test sets, so that the trades fall into several candles. */
let nowMs: number
async function openMarket(): Promise<void> {
  nowMs = Date.parse('2026-01-01T00:00:30Z')
  market = await createTestMarket({ clock: { now: () => new Date(nowMs) } })
  creator = await market.addPlayer()
  trader = await market.addPlayer()
}

const audit = () => auditMarket(market.pool)

/** Audits the market after these statements, and then rolls them back. */
async function auditAfter(...statements: readonly RawBuilder<unknown>[]) {
  const client = await market.pool.connect()
  const query = async (text: string) => (/^(begin|commit)/.test(text) ? { rows: [] } : await client.query(text))
  const inside = { query, release: () => {} } as unknown as pg.PoolClient
  try {
    await client.query('begin')
    for (const statement of statements) {
      const compiled = statement.compile(market.db)
      await client.query(compiled.sql, [...compiled.parameters])
    }
    return await auditMarket({ connect: async () => inside })
  } finally {
    await client.query('rollback')
    client.release(true)
  }
}

async function sellAll(userId: UserId): Promise<void> {
  const { amount } = await market.db
    .selectFrom('holdings')
    .select('amount')
    .where('token_id', '=', tokenId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  await market.sell(userId, tokenId, amount)
}

/** Makes six trades of two players within two hours: buys, a partial sale, a full sale, and another buy. */
async function tradeALittle(): Promise<void> {
  tokenId = await market.launch(creator, '1')
  await market.buy(trader, tokenId, '2.5')
  nowMs += 70_000
  await market.sell(trader, tokenId, '1000.123456')
  nowMs += 3_600_000
  await sellAll(trader)
  await market.buy(trader, tokenId, '0.7')
  await market.buy(creator, tokenId, '0.3')
}

describe('an audit of a market written by the engine', () => {
  beforeEach(openMarket)
  afterEach(() => market.close())

  it('finds no differences in an empty market', async () => {
    expect(await audit()).toEqual({
      tokens: 0,
      trades: 0,
      lastTradeId: null,
      rugs: 0,
      players: 2,
      holdings: 0,
      candles: 0,
      differences: 0,
      shown: [],
    })
  })

  it('finds no differences after an account reset', async () => {
    await tradeALittle()
    const report = await auditAfter(
      sql`insert into grants (user_id, kind, amount) values (${trader}, 'reset', 7.5)`,
      sql`update accounts set sol_balance = sol_balance + 7.5 where user_id = ${trader}`,
    )
    expect(report).toMatchObject({ differences: 0, shown: [] })
  })

  it('finds no differences after hundreds of random orders of many players', async () => {
    const done = await tradeAtRandom(market, {
      seed: 7,
      orders: 600,
      onOrder: () => {
        // The steps add up to more than a day, so that candles of each width close.
        nowMs += 200_000
      },
    })
    const report = await audit()
    expect(report).toMatchObject({ ...done, differences: 0, shown: [] })
    expect(report.candles).toBeGreaterThan(100)
  })

  it('names the differences of a changed rug pull', async () => {
    await tradeALittle()
    await market.engine.submit({ kind: 'rug', userId: creator, tokenId })
    const changed = await auditAfter(sql`update rugs set amount = amount - 0.000000001, user_id = ${trader}`)
    expect(changed.shown).toEqual([
      expect.stringMatching(/rug pull: hash is/),
      expect.stringMatching(/rug pull: player 2 did not launch the token$/),
      expect.stringMatching(/rug pull: amount is/),
    ])
    const { shown } = await auditAfter(sql`delete from rugs`)
    expect(shown).toContainEqual(expect.stringMatching(/pool: SOL reserve is 0, but should be/))
    expect(shown).toContainEqual(expect.stringMatching(/pool: the pool (did not close|is closed without a rug pull)/))
  })

  it('reads one snapshot, and does not hold it open while it replays', async () => {
    const { db, pool } = market
    await sql`create table line (number integer)`.execute(db)
    await sql`insert into line select generate_series(1, 2500)`.execute(db)
    const read: number[] = []
    await inStreamingSnapshot(
      pool,
      async (snapshot) => {
        const lines = await snapshot.stream<{ number: number }>('select number from line order by number')
        await sql`update line set number = -number`.execute(db)
        return lines
      },
      async (lines) => {
        const { rows } = await sql`select count(*)::int as holding from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend'
            and pid <> pg_backend_pid() and backend_xmin is not null`.execute(db)
        expect(rows).toEqual([{ holding: 0 }])
        for (let line = await lines.take(); line !== undefined; line = await lines.take()) read.push(line.number)
      },
    )
    expect(read).toEqual(Array.from({ length: 2_500 }, (_, i) => i + 1))
  })

  it('finds no differences while players trade', async () => {
    // Repeats the audit until four of its runs saw a different number of trades.
    const trades = new Set<number>()
    const isEnough = () => trades.size >= 4
    const trading = tradeAtRandom(market, { seed: 11, orders: 100_000, isEnough })
    while (!isEnough()) {
      const report = await audit()
      expect(report.shown).toEqual([])
      trades.add(report.trades)
    }
    await trading
    expect((await audit()).shown).toEqual([])
  })
})

/** Each row changes the market, and lists exactly the differences that the audit must report. */
const forgeries: readonly [change: string, ...names: RegExp[]][] = [
  [
    'update accounts set sol_balance = sol_balance + 0.000000001 where user_id = 2',
    /^player 2 \(player-2\): balance is 99.285022499, but should be 99.285022498$/,
    /^the market: sum of balances/,
  ],
  [
    'update accounts set realized_pnl = realized_pnl - 0.000000001 where user_id = 2',
    /^player 2 \(player-2\): realized PnL is/,
  ],
  [
    'update pools set sol_reserve = sol_reserve + 0.000000001',
    /^token 1 \(MOON\), pool: SOL reserve is/,
    /^the market/,
  ],
  [
    'update pools set token_reserve = token_reserve - 0.000001',
    /^token 1 \(MOON\), pool: token reserve is/,
    /^token 1 \(MOON\): pool \+ holdings is 999999999.999999, but/,
  ],
  [
    'update pools set virtual_sol = 29.999999999',
    /pool: virtual SOL is 29.999999999, but should be 30$/,
    /^the market/,
  ],
  ['update pools set fees = fees - 0.000000001', /pool: sum of fees is/, /^the market/],
  // The forming candles close at this price, so they differ too.
  [
    'update pools set price = price + 0.000000000000000001',
    /, 60-second candle at .*: close is/,
    /, 3600-second .*: close is/,
    /, 86400-second .*: close is/,
    /pool: price is/,
  ],
  ['update pools set seq = seq + 1', /pool: last sequence number is 7, but should be 6$/],
  ["update pools set last_event_at = last_event_at + interval '1 ms'", /pool: the time of the last entry/],
  ['update pools set rugged_at = last_event_at', /pool: the pool is closed without a rug pull$/],
  [
    'update holdings set amount = amount + 0.000001 where user_id = 2',
    /^token 1 \(MOON\), holding of player 2: amount is/,
    /pool \+ holdings is 1000000000.000001, but/,
  ],
  ['update holdings set cost = cost - 0.000000001 where user_id = 2', /holding of player 2: cost is/],
  [
    'delete from holdings where user_id = 2',
    /holding of player 2: amount is 0, but/,
    /holding of player 2: cost is 0, but/,
    /pool \+ holdings/,
  ],
  [
    `with u as (
        insert into users (id, username, username_key, email, email_key, wallet, password_hash)
        overriding system value values (3, 'x', 'x', 'x', 'x', 'x', 'x') returning id
      ), a as (insert into accounts (user_id, sol_balance) select id, 100 from u
      ), g as (insert into grants (user_id, kind, amount) select id, 'register', 100 from u)
      insert into holdings (token_id, user_id, amount, cost) select 1, id, 1, 0 from u`,
    /holding of player 3: amount is 1, but should be 0$/,
    /pool \+ holdings/,
  ],
  [
    'update trades set fee = fee + 0.000000001 where seq = 3',
    /^token 1 \(MOON\), trade 3: fee is/,
    /^token 1 \(MOON\), trade 3: hash is/,
  ],
  // Only this trade differs, and the trades after it are exact.
  [
    `update trades set price = price + 0.000000000000000001, spot_price = spot_price + 0.000000000000000001,
      sol_reserve = sol_reserve + 0.000000001, token_reserve = token_reserve + 0.000001 where seq = 3`,
    ...[/trade 3: average price/, /trade 3: spot price/, /trade 3: SOL reserve/, /trade 3: token reserve/],
    /trade 3: hash is/,
  ],
  ['update trades set sol_amount = sol_amount + 0.000000001 where seq = 4', /trade 4: SOL amount/, /trade 4: hash is/],
  [
    'update trades set token_amount = token_amount - 0.000001 where seq = 5',
    /trade 5: token amount/,
    /trade 5: hash is/,
  ],
  [
    "update trades set created_at = created_at - interval '1 ms' where seq = 6",
    /trade 6: the trade is older than the previous entry$/,
    /trade 6: hash is/,
    /pool: the time of the last entry/,
  ],
  [
    "update trades set hash = sha256('') where seq = 3",
    /^token 1 \(MOON\), trade 3: hash is e3b0c442[0-9a-f]{56}, but should be/,
    /trade 4: hash is/,
  ],
  ["update pools set chain_head = sha256('')", /^token 1 \(MOON\), pool: hash of the last entry is e3b0c442/],
  ["update tokens set name = name || '.'", /^token 1 \(MOON\), trade 1: hash is/],
  ['update tokens set launch_fee = 0', /^token 1 \(MOON\): launch fee is 0, but should be 0.02$/, /^the market/],
  [
    'delete from grants where user_id = 2',
    ...[/^player 2 .*has 0 starting balances/, /^player 2 .*balance is/, /^the market/],
  ],
  [
    "insert into grants (user_id, kind, amount) values (2, 'register', 100)",
    ...[/^player 2 .*has 2 starting balances/, /^player 2 .*balance is/, /^the market/],
  ],
  [
    `with g as (insert into grants (user_id, kind, amount) values (2, 'house', 1))
      update accounts set sol_balance = sol_balance + 1 where user_id = 2`,
    /^player 2 .*has 1 house-bot grants, but is not a house bot$/,
  ],
  ["update users set kind = 'house' where id = 2", /^player 2 .*has 1 starting balances, but should have 0$/],
  [
    'update pools set hour_high = hour_high + 0.000000001, hour_volume = hour_volume + 0.000000001',
    /3600-second candle at 2026-01-01T01:00:00.000Z: high is/,
    /: volume is/,
  ],
  [
    "delete from closed_candles where width = 60 and bucket = '2026-01-01T00:01:00Z'",
    /60-second candle at 2026-01-01T00:01:00.000Z: the candle is missing$/,
  ],
  [
    "insert into closed_candles values (1, 86400, '2026-02-01T00:00:00Z', 1, 1, 1, 1, 1, 1)",
    /86400-second candle at 2026-02-01T00:00:00.000Z: the candle is stored, but it has no trades$/,
  ],
  [
    "insert into closed_candles values (9, 60, '2026-02-01T00:00:00Z', 1, 1, 1, 1, 1, 1)",
    /^token 9: the token does not exist, but has 60-second candles$/,
  ],
]

describe('an audit of a market that someone changed by hand', () => {
  beforeAll(async () => {
    await openMarket()
    await tradeALittle()
  })
  afterAll(() => market?.close())

  it.each(forgeries)('names all differences after %s', async (change, ...names) => {
    const report = await auditAfter(sql.raw(change))
    expect(report.shown).toEqual(names.map((name) => expect.stringMatching(name)))
    expect(report.differences).toBe(names.length)
  })

  it.each([
    ['delete from trades where seq = 3', /trade 4: entries are missing: the next number should be 3$/],
    ['delete from trades where seq = 6', /pool: last sequence number is 6, but should be 5$/],
    ['update trades set sol_amount = sol_amount + 1 where seq = 2', /trade 2: token amount/],
    ['update trades set token_amount = token_amount + 1 where seq = 3', /trade 3: SOL amount/],
    ['update trades set user_id = 1 where seq = 3', /holding of player 2: amount/],
    ['update trades set user_id = 77 where seq = 6', /^player 77: the player is in the journal, but does not exist$/],
    ['update trades set user_id = 77 where seq = 4', /trade 4: player 77 held 0 tokens, but traded/],
    ['update trades set token_id = 9 where seq = 6', /^token 9: the token does not exist, but has trades$/],
  ])('names one of several consequences of %s', async (change, name) => {
    expect((await auditAfter(sql.raw(change))).shown).toContainEqual(expect.stringMatching(name))
  })

  it('names two swapped trades', async () => {
    const renumber = (from: number, to: number) => sql`update trades set seq = ${to} where seq = ${from}`
    const { shown } = await auditAfter(renumber(5, 99), renumber(6, 5), renumber(99, 6))
    expect(shown).toContainEqual(
      expect.stringMatching(/trade 6: the id \d+ is not greater than the previous trade’s id$/),
    )
    expect(shown).toContainEqual(expect.stringMatching(/trade 5: token amount is/))
  })

  it('counts all differences and names a hundred of them', async () => {
    const report = await auditAfter(sql`
      insert into users (id, username, username_key, email, email_key, wallet, password_hash) overriding system value
      select 2 + n, 'x' || n, 'x' || n, 'x' || n, 'x' || n, 'x', 'x' from generate_series(1, 150) n`)
    expect(report.differences).toBe(150)
    expect(report.shown).toHaveLength(100)
    expect(report.shown[0]).toBe('player 3 (x1): the player has no account')
  })

  it('changes nothing and leaves no connection busy', async () => {
    const before = await market.db.selectFrom('pools').selectAll().execute()
    for (let i = 0; i < 12; i++) await audit()
    expect(await market.db.selectFrom('pools').selectAll().execute()).toEqual(before)
    // The engine holds two connections: one for writes and one for reads.
    await expect.poll(() => market.pool.totalCount - market.pool.idleCount).toBeLessThanOrEqual(2)
  })
})
