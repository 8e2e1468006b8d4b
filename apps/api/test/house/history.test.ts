import { Decimal } from '@papermoon/amm'
import {
  type Actor,
  CHARACTERS,
  Fleet,
  HOUSE_FLOAT_SOL,
  HOUSE_GRANT_MAX_SOL,
  type MarketEvent,
  simulate,
} from '@papermoon/bots'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import type { TokenId, UserId } from '@papermoon/engine'
import type { MarketHistory } from '@papermoon/engine/bulk'
import { balancedBooks, readBooks } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { beginDemoWorld, findDemoWorld } from '../../src/house/demo-world.ts'
import { ExactVenue, type HistoryBot, makeHistory } from '../../src/house/make-history.ts'
import { writeDemoWorld } from '../../src/house/write-demo-world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const END_MS = Date.parse('2026-03-14T15:09:26.535Z')
const FIRST_STRANGER = 1_000
const STRANGERS = 9
const LAUNCH_EVERY_MS = 180_000

async function openDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  return database
}

describe('the history of a demo world', () => {
  let database: TestDatabase
  let written: Awaited<ReturnType<typeof writeDemoWorld>>
  beforeAll(async () => {
    database = await createTestDatabase()
    await beginDemoWorld(database.db, 1)
    written = await writeDemoWorld(database, END_MS)
  })
  afterAll(() => database?.drop())

  it('passes the audit and looks alive, depends on its seed alone, and is written once', {
    tags: 'nightly',
  }, async () => {
    const report = await auditMarket(database.pool)
    expect(report).toMatchObject({ differences: 0, tokens: written?.tokens, trades: written?.trades, players: 31 })
    const figures = await readFigures(database)
    expect(await readBooks(database)).toEqual(balancedBooks(figures.granted))
    // The house grants bots no more than its limits allow.
    expect(figures).toMatchObject({ grantKinds: 'house', firstGrant: HOUSE_FLOAT_SOL })
    expect(figures.mostGrantedADay).toBeLessThanOrEqual(HOUSE_GRANT_MAX_SOL)

    expect(figures.tokens).toBeGreaterThanOrEqual(35)
    expect(figures.tokens).toBeLessThanOrEqual(50)
    expect(figures.rugs).toBeGreaterThanOrEqual(1)
    expect(figures.rugs).toBeLessThanOrEqual(10)
    expect(figures.names).toBe(figures.tokens)
    expect(figures.described).toBe(figures.tokens)
    // The history lasts two weeks and ends now.
    expect(figures.firstMs).toBeGreaterThanOrEqual(END_MS - 14 * DAY_MS)
    expect(figures.firstMs).toBeLessThan(END_MS - 13.5 * DAY_MS)
    expect(figures.lastMs).toBeLessThan(END_MS)
    expect(figures.lastMs).toBeGreaterThan(END_MS - 60_000)
    // Every day has trades, and the last hour has many.
    expect(figures.days).toBeGreaterThanOrEqual(14)
    expect(figures.lastHour).toBeGreaterThan(300)
    // A buy of 10 SOL must stay a bet: it moves the price of each of the ten largest tokens by at most 15 %.
    expect(((figures.tenthPool + 10) / figures.tenthPool) ** 2).toBeLessThanOrEqual(1.15)
    expect(figures.medianTrade).toBeGreaterThanOrEqual(0.3)
    // Tokens have many holders, and prices differ widely.
    expect(figures.heldTokens).toBeGreaterThanOrEqual(15)
    expect(figures.mostHolders).toBeGreaterThanOrEqual(15)
    expect(figures.highestCap).toBeGreaterThan(60)
    expect(figures.risenTokens).toBeGreaterThanOrEqual(10)
    expect(figures.youngest).toBeGreaterThan(END_MS - 2 * HOUR_MS)
    expect(figures).toMatchObject({ isFirstOpen: true, lastTokenId: figures.tokens })

    const { rows } = await sql<{ head: string }>`
      select encode(chain_head, 'hex') as head from pools order by token_id`.execute(database.db)
    expect(rows.map(({ head }) => head)).toEqual(makeHeads(1))

    expect(await writeDemoWorld(database, END_MS)).toBeNull()
    expect(await readFigures(database)).toEqual(figures)
    expect(await findDemoWorld(database.db)).toMatchObject({ state: 'running', written_at: expect.any(Date) })
  })

  it('has active, renewed and ended seals, and some of the ended ones were rugged', async () => {
    const { rows } = await sql`
      select count(distinct s.token_id) > 8 as many, bool_or(p.sealed_until > ${new Date(END_MS)}) as some_hold,
             bool_or(s.kind = 'renewed') as some_renewed, bool_or(s.with_bag) as some_bags,
             bool_or(p.rugged_at >= p.sealed_until) as some_rugged, not bool_or(p.rugged_at < p.sealed_until) as none_broken,
             bool_and(s.told = case when s.until <= now() or p.seals > s.n then 3 else 0 end) as ends_are_told
        from seals s join pools p on p.token_id = s.token_id`.execute(database.db)
    const all = ['many', 'some_hold', 'some_renewed', 'some_bags', 'some_rugged', 'none_broken', 'ends_are_told']
    expect(rows).toEqual([Object.fromEntries(all.map((name) => [name, true]))])
  })
})

describe('a demo world', () => {
  it('is never started if there are players, and never twice', async () => {
    const database = await openDatabase()
    await sql`insert into users (username, username_key, email, email_key, wallet, password_hash)
      values ('ada', 'ada', 'ada', 'ada', 'none', 'none')`.execute(database.db)
    expect(await beginDemoWorld(database.db, 1)).toBe(false)
    expect(await writeDemoWorld(database, END_MS)).toBeNull()
    await sql`delete from users`.execute(database.db)
    const begun = await Promise.all([1, 2, 3].map((seed) => beginDemoWorld(database.db, seed)))
    expect(begun.filter(Boolean)).toHaveLength(1)
    expect(await beginDemoWorld(database.db, 4)).toBe(false)
  })
})

/** Returns the chain heads of all tokens of a history. */
function makeHeads(seed: number): string[] {
  const { history } = makeWorld(seed)
  return history.launches.map(({ tokenId }) => history.market.pool(tokenId)?.chainHead ?? '')
}

interface Figures {
  readonly granted: string
  readonly grantKinds: string
  readonly firstGrant: number
  /** Median size of the last hour's trades, in SOL. */
  readonly medianTrade: number
  /** SOL in the pool of the tenth largest token. */
  readonly tenthPool: number
  readonly mostGrantedADay: number
  readonly tokens: number
  readonly rugs: number
  readonly names: number
  readonly described: number
  readonly firstMs: number
  readonly lastMs: number
  readonly days: number
  readonly lastHour: number
  readonly heldTokens: number
  readonly mostHolders: number
  readonly highestCap: number
  readonly risenTokens: number
  readonly youngest: number
  readonly isFirstOpen: boolean
  readonly lastTokenId: number
}

async function readFigures({ db }: TestDatabase): Promise<Figures> {
  const { rows } = await sql<Figures>`
    with held as (select token_id, count(*) as holders from holdings where amount > 0 group by token_id),
    paid as (select kind, amount, created_at, user_id, row_number() over (partition by user_id order by created_at, id) as place
               from grants),
    days as (select sum(amount) as amount from paid where place > 1
              group by user_id, (created_at at time zone 'UTC')::date)
    select (select trim_scale(sum(amount))::text from grants) as granted,
           (select string_agg(distinct kind, ' ') from grants) as "grantKinds",
           (select max(amount)::float8 from paid where place = 1) as "firstGrant",
           (select coalesce(max(amount), 0)::float8 from days) as "mostGrantedADay",
           (select count(*)::int from tokens) as tokens,
           (select count(*)::int from rugs) as rugs,
           (select count(distinct name)::int from tokens) as names,
           (select last_value::int from tokens_id_seq) as "lastTokenId",
           (select count(*)::int from tokens where length(description) > 20) as described,
           (select extract(epoch from min(created_at))::float8 * 1000 from tokens) as "firstMs",
           (select extract(epoch from max(created_at))::float8 * 1000 from trades) as "lastMs",
           (select count(distinct (created_at at time zone 'UTC')::date)::int from trades) as days,
           (select count(*)::int from trades where created_at > ${new Date(END_MS - HOUR_MS)}) as "lastHour",
           (select percentile_cont(0.5) within group (order by sol_amount::float8) from trades
             where created_at > ${new Date(END_MS - HOUR_MS)}) as "medianTrade",
           (select sol_reserve::float8 from pools where rugged_at is null
             order by price desc offset 9 limit 1) as "tenthPool",
           (select count(*)::int from held where holders > 0) as "heldTokens",
           (select max(holders)::int from held) as "mostHolders",
           (select max(price * 1000000000)::float8 from pools) as "highestCap",
           (select count(*)::int from pools where price > 0.00000004) as "risenTokens",
           (select extract(epoch from max(created_at))::float8 * 1000 from tokens) as youngest,
           (select rugged_at is null from pools order by token_id limit 1) as "isFirstOpen"`.execute(db)
  const [figures] = rows
  if (figures === undefined) throw new Error('no figures')
  return figures
}

// The bots start with the bags and rugged tokens of the history, which must not use up what they may lose.
it('a history leaves bots that buy a stranger’s first token within a minute', { tags: 'nightly' }, () => {
  const answers = measureAnswers(makeWorld(1)).sort((a, b) => a - b)
  expect(answers).toHaveLength(STRANGERS)
  expect(answers[Math.floor(STRANGERS / 2)]).toBeLessThan(20_000)
  expect(answers.at(-1)).toBeLessThan(60_000)
})

interface World {
  readonly history: MarketHistory
  readonly bots: readonly HistoryBot[]
}

function makeWorld(seed: number): World {
  let tokens = 0
  const bots = CHARACTERS.map((character, i) => ({
    userId: (i + 1) as UserId,
    character,
    balance: new Decimal(HOUSE_FLOAT_SOL),
  }))
  const { history } = makeHistory({ seed, bots, endMs: END_MS, nextTokenId: () => ++tokens as TokenId })
  for (let i = 0; i < STRANGERS; i++) {
    history.addPlayer({ userId: (FIRST_STRANGER + i) as UserId, username: `stranger ${i}` }, new Decimal(100))
  }
  return { history, bots }
}

/** Returns the times in ms from strangers' launches, each with a first buy, to the first trade of a bot. */
function measureAnswers({ history, bots }: World): number[] {
  const venue = new ExactVenue(history, { toHistoryMs: (ms) => ms, toMarketMs: (ms) => ms })
  const launches = new Map<number, number>()
  const answers = new Map<number, number>()
  const onEvent = (event: MarketEvent) => {
    if (event.type === 'launch' && event.creatorId >= FIRST_STRANGER) launches.set(event.tokenId, event.atMs)
    if (event.type !== 'trade' || event.userId >= FIRST_STRANGER || answers.has(event.tokenId)) return
    const launchedMs = launches.get(event.tokenId)
    if (launchedMs !== undefined) answers.set(event.tokenId, event.atMs - launchedMs)
  }
  const untilMs = END_MS + STRANGERS * LAUNCH_EVERY_MS
  simulate({ actors: [createStrangers(), takeOver(history, bots)], venue, fromMs: END_MS, untilMs, onEvent })
  return [...answers.values()]
}

function createStrangers(): Actor {
  let launched = 0
  return {
    get nextAtMs() {
      return launched < STRANGERS ? END_MS + launched * LAUNCH_EVERY_MS : Number.POSITIVE_INFINITY
    },
    act: () => {
      const [userId, symbol] = [FIRST_STRANGER + launched, `FIRST${launched}`]
      launched++
      const story = { name: `First Try ${launched}`, symbol, emoji: '🌱', description: 'A first token.' }
      return { kind: 'launch', userId, story, initialBuy: 1 }
    },
    observe: () => {},
  }
}

/** Returns a fleet that knows exactly what the live runner would read from the API. */
function takeOver({ market, launches, trades, holdings }: MarketHistory, bots: readonly HistoryBot[]): Fleet {
  const members = bots.map(({ userId, character }) => ({
    userId,
    character,
    balance: market.account(userId)?.balance.toNumber() ?? 0,
  }))
  const fleet = new Fleet({ seed: 3, members, startMs: END_MS })
  for (const { tokenId, order, creator, atMs } of launches) {
    const pool = market.pool(tokenId)
    if (pool === undefined) continue
    const own = trades.filter(({ event }) => event.tokenId === tokenId)
    fleet.addToken({
      id: tokenId,
      name: order.token.name,
      symbol: order.token.symbol,
      createdAtMs: atMs,
      creatorId: creator.id,
      creatorRugs: 0,
      creatorLaunches: 1,
      solReserve: pool.pool.sol.toNumber(),
      tokenReserve: pool.pool.tokens.toNumber(),
      lastTradeAtMs: pool.lastEventAtMs,
      tradeCount: own.length,
      volume: own.reduce((sum, { event }) => sum + Number(event.volume), 0),
      holderCount: holdings.get(tokenId)?.size ?? 0,
      isRugged: pool.pool.sol.isZero(),
    })
    for (const [userId, { amount, cost }] of holdings.get(tokenId) ?? []) {
      const bag = { userId, tokenId, amount: Number(amount), cost: Number(cost), boughtAtMs: pool.lastEventAtMs }
      if (bag.amount > 0) fleet.addBag(bag)
    }
  }
  return fleet
}
