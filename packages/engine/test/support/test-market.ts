import { parseSol, parseTokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { MarketEvent } from '@papermoon/contract/market-events'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { PublishedBatch } from '../../src/batch/apply-batch.ts'
import type { Clock } from '../../src/clock.ts'
import type { ReceiptByKind, TokenDescription } from '../../src/orders.ts'
import { createTradingEngine, ENGINE_LIMITS, type EngineLimits, type TradingEngine } from '../../src/trading-engine.ts'

export { startCuttingProxy } from '../../../db/test/fixtures/cutting-proxy.ts'
export { ManualTimers } from './manual-timers.ts'

export const aToken: TokenDescription = {
  name: 'Paper Moon',
  symbol: 'MOON',
  emoji: '🌙',
  description: null,
  website: null,
  x: null,
  telegram: null,
}

/** Limits with a long wait, because on a loaded machine an order waits longer than a player would. */
const PATIENCE: EngineLimits = { ...ENGINE_LIMITS, waitMaxMs: 60_000 }

/** An engine with its own database, and shorthands for tests. */
export interface TestMarket extends TestDatabase {
  readonly engine: TradingEngine
  /** Everything published so far. */
  readonly batches: PublishedBatch[]
  readonly events: MarketEvent[]
  openEngine(limits?: EngineLimits): TradingEngine
  addPlayer(balance?: string): Promise<UserId>
  launch(creator: UserId, initialBuy?: string): Promise<TokenId>
  buy(userId: UserId, tokenId: TokenId, sol: string, requestKey?: string): Promise<ReceiptByKind['buy']>
  sell(userId: UserId, tokenId: TokenId, tokens: string, requestKey?: string): Promise<ReceiptByKind['sell']>
  close(): Promise<void>
}

interface MarketOptions {
  /** A migrated, empty database. The default is a new one on the test server. */
  readonly database?: TestDatabase
  readonly clock?: Clock
  readonly limits?: EngineLimits
  /** Also called with each published batch. */
  readonly publish?: (batch: PublishedBatch) => void
}

export async function createTestMarket(options: MarketOptions = {}): Promise<TestMarket> {
  const database = options.database ?? (await createTestDatabase())
  const batches: PublishedBatch[] = []
  const events: MarketEvent[] = []
  const clock = options.clock ?? { now: () => new Date() }
  const engines: TradingEngine[] = []
  const openEngine = (limits = PATIENCE) => {
    const log = pino({ level: 'silent' })
    const publish = (batch: PublishedBatch) => {
      batches.push(batch)
      events.push(...batch.events.map(({ event }) => event))
      options.publish?.(batch)
    }
    const engine = createTradingEngine({ pool: database.pool, clock, log, publish, limits })
    engines.push(engine)
    return engine
  }
  const engine = openEngine(options.limits)
  let players = 0
  return {
    ...database,
    engine,
    batches,
    events,
    openEngine,
    addPlayer: (balance = '100') => addPlayer(database, `player-${++players}`, balance),
    launch: async (userId, initialBuy) => {
      const sol = initialBuy === undefined ? undefined : parseSol(initialBuy)
      return (await engine.submit({ kind: 'launch', userId, token: aToken, initialBuy: sol })).tokenId
    },
    buy: (userId, tokenId, sol, requestKey) =>
      engine.submit({ kind: 'buy', userId, tokenId, sol: parseSol(sol), requestKey }),
    sell: (userId, tokenId, tokens, requestKey) =>
      engine.submit({ kind: 'sell', userId, tokenId, tokens: parseTokens(tokens), requestKey }),
    close: async () => {
      await Promise.all(engines.map((open) => open.close()))
      await database.drop()
    },
  }
}

export async function addPlayer({ db }: Pick<TestDatabase, 'db'>, username: string, balance: string): Promise<UserId> {
  return await db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('users')
      .values({
        username,
        username_key: username,
        email: `${username}@papermoon.example`,
        email_key: `${username}@papermoon.example`,
        wallet: 'wallet',
        password_hash: 'none',
        profile_picture_url: null,
        warning: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.insertInto('accounts').values({ user_id: id, sol_balance: balance, realized_pnl: '0' }).execute()
    await tx.insertInto('grants').values({ user_id: id, kind: 'register', amount: balance }).execute()
    return id as UserId
  })
}

/** Exact sums over the whole market, and the number of rows that contradict them. */
export interface Books {
  readonly granted: string
  /** Balances + real SOL of the pools + treasury. */
  readonly accounted: string
  /** Number of tokens whose pool and holdings do not add up to the supply. */
  readonly unbalancedTokens: number
  /** Number of players whose balance is not grants + realized PnL − cost of open positions. */
  readonly unbalancedPlayers: number
  /** Number of tokens whose sequence numbers have a gap, or do not end at the pool's number. */
  readonly brokenSequences: number
}

/** Returns the result of `readBooks` if all sums are right. */
export function balancedBooks(granted: string): Books {
  return { granted, accounted: granted, unbalancedTokens: 0, unbalancedPlayers: 0, brokenSequences: 0 }
}

export async function readBooks({ db }: Pick<TestDatabase, 'db'>): Promise<Books> {
  const { rows } = await sql<Books>`
    select trim_scale((select coalesce(sum(amount), 0) from grants))::text as granted,
      trim_scale((select coalesce(sum(sol_balance), 0) from accounts)
        + (select coalesce(sum(sol_reserve - virtual_sol + fees), 0) from pools)
        + (select coalesce(sum(launch_fee), 0) from tokens))::text as accounted,
      (select count(*)::int from tokens t join pools p on p.token_id = t.id
        where t.supply <> p.token_reserve + (select coalesce(sum(amount), 0) from holdings h where h.token_id = t.id)
      ) as "unbalancedTokens",
      (select count(*)::int from accounts a
        where a.sol_balance <> (select coalesce(sum(amount), 0) from grants g where g.user_id = a.user_id)
          + a.realized_pnl - (select coalesce(sum(cost), 0) from holdings h where h.user_id = a.user_id)
      ) as "unbalancedPlayers",
      (select count(*)::int from pools p left join lateral (
        select count(*) as n, coalesce(max(seq), 0) as last from (
          select seq from trades where token_id = p.token_id union all select seq from rugs where token_id = p.token_id
        ) journal) j on true
        where p.seq <> j.last or j.n <> j.last) as "brokenSequences"`.execute(db)
  const books = rows[0]
  if (books === undefined) throw new Error('no books')
  return books
}
