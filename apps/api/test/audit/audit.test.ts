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
/** A clock that the test moves, so that candles of several buckets result. */
let nowMs: number
async function openMarket(): Promise<void> {
  nowMs = Date.parse('2026-01-01T00:00:30Z')
  market = await createTestMarket({ clock: { now: () => new Date(nowMs) } })
  creator = await market.addPlayer()
  trader = await market.addPlayer()
}

const audit = () => auditMarket(market.pool)

/** An audit of the market after these statements, which are rolled back. */
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

/** Six trades of two players over two hours: buys, a partial sale, a full sale, and a buy again. */
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

  it('finds an empty market exact', async () => {
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

  it('finds launches, first buys, sales to zero and a rug pull exact', async () => {
    await tradeALittle()
    const rugged = await market.launch(creator)
    await market.buy(trader, rugged, '5')
    await market.engine.submit({ kind: 'rug', userId: creator, tokenId: rugged })
    await market.launch(trader)
    expect(await audit()).toMatchObject({ tokens: 3, trades: 7, rugs: 1, players: 2, differences: 0, shown: [] })
  })

  it('finds an account reset exact', async () => {
    await tradeALittle()
    const report = await auditAfter(
      sql`insert into grants (user_id, kind, amount) values (${trader}, 'reset', 7.5)`,
      sql`update accounts set sol_balance = sol_balance + 7.5 where user_id = ${trader}`,
    )
    expect(report).toMatchObject({ differences: 0, shown: [] })
  })

  it('finds hundreds of random orders of many players exact', async () => {
    const done = await tradeAtRandom(market, {
      seed: 7,
      orders: 600,
      onOrder: () => {
        nowMs += 20_000
      },
    })
    const report = await audit()
    expect(report).toMatchObject({ ...done, differences: 0, shown: [] })
    expect(report.candles).toBeGreaterThan(100)
  })

  it('names what is wrong with a rug pull', async () => {
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

  it('reads one snapshot and does not hold it open while it replays', async () => {
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

  it('raises no false alarm beside a live load', async () => {
    // Audits until four audits saw a different market.
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

/** Each case changes one row; `names` lists exactly the differences the audit must report. */
const forgeries: { readonly what: string; readonly forge: () => RawBuilder<unknown>; readonly names: RegExp[] }[] = [
  {
    what: 'one lamport more in a balance',
    forge: () => sql`update accounts set sol_balance = sol_balance + 0.000000001 where user_id = ${trader}`,
    names: [
      /^player 2 \(player-2\): balance is 99.285022499, but should be 99.285022498$/,
      /^the market: sum of balances/,
    ],
  },
  {
    what: 'one lamport less of realized PnL',
    forge: () => sql`update accounts set realized_pnl = realized_pnl - 0.000000001 where user_id = ${trader}`,
    names: [/^player 2 \(player-2\): realized PnL is/],
  },
  {
    what: 'one lamport more in a pool',
    forge: () => sql`update pools set sol_reserve = sol_reserve + 0.000000001`,
    names: [/^token 1 \(MOON\), pool: SOL reserve is/, /^the market/],
  },
  {
    what: 'one micro-token less in a pool',
    forge: () => sql`update pools set token_reserve = token_reserve - 0.000001`,
    names: [
      /^token 1 \(MOON\), pool: token reserve is/,
      /^token 1 \(MOON\): pool \+ holdings is 999999999.999999, but/,
    ],
  },
  {
    what: 'less virtual SOL',
    forge: () => sql`update pools set virtual_sol = 29.999999999`,
    names: [/pool: virtual SOL is 29.999999999, but should be 30$/, /^the market/],
  },
  {
    what: 'one lamport less of fees in a pool',
    forge: () => sql`update pools set fees = fees - 0.000000001`,
    names: [/pool: sum of fees is/, /^the market/],
  },
  {
    what: 'another price',
    forge: () => sql`update pools set price = price + 0.000000000000000001`,
    // A forming candle closes at it.
    names: [
      /, 60-second candle at .*: close is/,
      /, 3600-second .*: close is/,
      /, 86400-second .*: close is/,
      /pool: price is/,
    ],
  },
  {
    what: 'another last sequence number',
    forge: () => sql`update pools set seq = seq + 1`,
    names: [/pool: last sequence number is 7, but should be 6$/],
  },
  {
    what: 'another time of the last entry',
    forge: () => sql`update pools set last_event_at = last_event_at + interval '1 millisecond'`,
    names: [/pool: the time of the last entry/],
  },
  {
    what: 'a pool closed without a rug pull',
    forge: () => sql`update pools set rugged_at = last_event_at`,
    names: [/pool: the pool is closed without a rug pull$/],
  },
  {
    what: 'one micro-token more in a holding',
    forge: () => sql`update holdings set amount = amount + 0.000001 where user_id = ${trader}`,
    names: [/^token 1 \(MOON\), holding of player 2: amount is/, /pool \+ holdings is 1000000000.000001, but/],
  },
  {
    what: 'one lamport less of cost',
    forge: () => sql`update holdings set cost = cost - 0.000000001 where user_id = ${trader}`,
    names: [/holding of player 2: cost is/],
  },
  {
    what: 'a holding taken away',
    forge: () => sql`delete from holdings where user_id = ${trader}`,
    names: [/holding of player 2: amount is 0, but/, /holding of player 2: cost is 0, but/, /pool \+ holdings/],
  },
  {
    what: 'a holding of somebody who never traded',
    forge: () => sql`with u as (
        insert into users (id, username, username_key, email, email_key, wallet, password_hash)
        overriding system value values (3, 'x', 'x', 'x', 'x', 'x', 'x') returning id
      ), a as (insert into accounts (user_id, sol_balance) select id, 100 from u
      ), g as (insert into grants (user_id, kind, amount) select id, 'register', 100 from u)
      insert into holdings (token_id, user_id, amount, cost) select ${tokenId}, id, 1, 0 from u`,
    names: [/holding of player 3: amount is 1, but should be 0$/, /pool \+ holdings/],
  },
  {
    what: 'one lamport more of fee in a trade',
    forge: () => sql`update trades set fee = fee + 0.000000001 where seq = 3`,
    names: [/^token 1 \(MOON\), trade 3: fee is/, /^token 1 \(MOON\), trade 3: hash is/],
  },
  {
    what: "another average price, spot price and reserves, and no trouble for what's after",
    forge: () => sql`update trades set price = price + 0.000000000000000001,
      spot_price = spot_price + 0.000000000000000001, sol_reserve = sol_reserve + 0.000000001,
      token_reserve = token_reserve + 0.000001 where seq = 3`,
    names: [
      ...[/trade 3: average price/, /trade 3: spot price/, /trade 3: SOL reserve/, /trade 3: token reserve/],
      /trade 3: hash is/,
    ],
  },
  {
    what: 'what a sale paid',
    forge: () => sql`update trades set sol_amount = sol_amount + 0.000000001 where seq = 4`,
    names: [/trade 4: SOL amount/, /trade 4: hash is/],
  },
  {
    what: 'what a buy gave',
    forge: () => sql`update trades set token_amount = token_amount - 0.000001 where seq = 5`,
    names: [/trade 5: token amount/, /trade 5: hash is/],
  },
  {
    what: 'a trade back-dated within its minute',
    forge: () => sql`update trades set created_at = created_at - interval '1 millisecond' where seq = 6`,
    names: [
      /trade 6: the trade is older than the previous entry$/,
      /trade 6: hash is/,
      /pool: the time of the last entry/,
    ],
  },
  {
    what: 'another hash of a trade, and of the one that follows from it',
    forge: () => sql`update trades set hash = sha256('') where seq = 3`,
    names: [/^token 1 \(MOON\), trade 3: hash is e3b0c442[0-9a-f]{56}, but should be/, /trade 4: hash is/],
  },
  {
    what: 'another hash in a pool',
    forge: () => sql`update pools set chain_head = sha256('')`,
    names: [/^token 1 \(MOON\), pool: hash of the last entry is e3b0c442/],
  },
  {
    what: 'another name of a token',
    forge: () => sql`update tokens set name = name || '.'`,
    names: [/^token 1 \(MOON\), trade 1: hash is/],
  },
  {
    what: 'a launch without its fee',
    forge: () => sql`update tokens set launch_fee = 0`,
    names: [/^token 1 \(MOON\): launch fee is 0, but should be 0.02$/, /^the market/],
  },
  {
    what: 'a missing grant',
    forge: () => sql`delete from grants where user_id = ${trader}`,
    names: [/^player 2 .*has 0 starting balances/, /^player 2 .*balance is/, /^the market/],
  },
  {
    what: 'a second starting grant',
    forge: () => sql`insert into grants (user_id, kind, amount) values (${trader}, 'register', 100)`,
    names: [/^player 2 .*has 2 starting balances/, /^player 2 .*balance is/, /^the market/],
  },
  {
    what: 'a grant of the house to a player',
    forge: () => sql`with g as (insert into grants (user_id, kind, amount) values (${trader}, 'house', 1))
      update accounts set sol_balance = sol_balance + 1 where user_id = ${trader}`,
    names: [/^player 2 .*has 1 house-bot grants, but is not a house bot$/],
  },
  {
    what: 'a starting balance for a bot of the house',
    forge: () => sql`update users set kind = 'house' where id = ${trader}`,
    names: [/^player 2 .*has 1 starting balances, but should have 0$/],
  },
  {
    what: "one lamport more in a candle's high and volume",
    forge: () => sql`update pools set hour_high = hour_high + 0.000000001, hour_volume = hour_volume + 0.000000001
      where token_id = ${tokenId}`,
    names: [/3600-second candle at 2026-01-01T01:00:00.000Z: high is/, /: volume is/],
  },
  {
    what: 'a missing candle',
    forge: () => sql`delete from closed_candles where width = 60 and bucket = '2026-01-01T00:01:00Z'`,
    names: [/60-second candle at 2026-01-01T00:01:00.000Z: the candle is missing$/],
  },
  {
    what: 'a candle that no trade made',
    forge: () => sql`insert into closed_candles values (${tokenId}, 86400, '2026-02-01T00:00:00Z', 1, 1, 1, 1, 1, 1)`,
    names: [/86400-second candle at 2026-02-01T00:00:00.000Z: the candle is stored, but it has no trades$/],
  },
  {
    what: 'candles of a token that does not exist',
    forge: () => sql`insert into closed_candles values (9, 60, '2026-02-01T00:00:00Z', 1, 1, 1, 1, 1, 1)`,
    names: [/^token 9: the token does not exist, but has 60-second candles$/],
  },
]

describe('an audit of a market that somebody changed by hand', () => {
  beforeAll(async () => {
    await openMarket()
    await tradeALittle()
  })
  afterAll(() => market?.close())

  it.each(forgeries)('names $what', async ({ forge, names }) => {
    const report = await auditAfter(forge())
    expect(report.shown).toEqual(names.map((name) => expect.stringMatching(name)))
    expect(report.differences).toBe(names.length)
  })

  /** Here one change causes several differences; `names` is one of them. */
  const journals: { readonly what: string; readonly forge: () => RawBuilder<unknown>; readonly names: RegExp }[] = [
    {
      what: 'a deleted trade',
      forge: () => sql`delete from trades where seq = 3`,
      names: /trade 4: entries are missing: the next number should be 3$/,
    },
    {
      what: 'a deleted last trade',
      forge: () => sql`delete from trades where seq = 6`,
      names: /pool: last sequence number is 6, but should be 5$/,
    },
    {
      what: 'another amount paid',
      forge: () => sql`update trades set sol_amount = sol_amount + 1 where seq = 2`,
      names: /trade 2: token amount/,
    },
    {
      what: 'another amount sold',
      forge: () => sql`update trades set token_amount = token_amount + 1 where seq = 3`,
      names: /trade 3: SOL amount/,
    },
    {
      what: "somebody else's trade",
      forge: () => sql`update trades set user_id = ${creator} where seq = 3`,
      names: /holding of player 2: amount/,
    },
    {
      what: 'a trade of nobody',
      forge: () => sql`update trades set user_id = 77 where seq = 6`,
      names: /^player 77: the player is in the journal, but does not exist$/,
    },
    {
      what: 'more sold than was held',
      forge: () => sql`update trades set user_id = 77 where seq = 4`,
      names: /trade 4: player 77 held 0 tokens, but traded/,
    },
    {
      what: 'another trade of a token that does not exist',
      forge: () => sql`update trades set token_id = 9 where seq = 6`,
      names: /^token 9: the token does not exist, but has trades$/,
    },
  ]
  it.each(journals)('names $what, and what follows from it', async ({ forge, names }) => {
    const report = await auditAfter(forge())
    expect(report.shown).toContainEqual(expect.stringMatching(names))
  })

  it('names two swapped trades', async () => {
    const renumber = (from: number, to: number) => sql`update trades set seq = ${to} where seq = ${from}`
    const { shown } = await auditAfter(renumber(5, 99), renumber(6, 5), renumber(99, 6))
    expect(shown).toContainEqual(
      expect.stringMatching(/trade 6: the id \d+ is not greater than the previous trade’s id$/),
    )
    expect(shown).toContainEqual(expect.stringMatching(/trade 5: token amount is/))
  })

  it('counts every difference and names a hundred', async () => {
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
