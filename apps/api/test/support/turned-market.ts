import { randomUUID } from 'node:crypto'
import { Decimal, parseSol, parseTokens, tokensText } from '@papermoon/amm'
import { DomainError, type Order, systemTimers, type TokenId, type UserId } from '@papermoon/engine'
import { MarketHistory, reservePositions, writeHistory } from '@papermoon/engine/bulk'
import { aToken, createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { Memory } from '../../src/cache/memory.ts'
import type { QueryCache } from '../../src/cache/query-cache.ts'
import type { Market, Platform } from '../../src/context.ts'

/** A query cache that stores nothing, so every query reads the database. */
export const queryCache = {
  get: (_query: unknown, _input: unknown, read: () => Promise<unknown>) => read(),
} as QueryCache

/** A market whose clock the test moves. New players get their SOL at that clock's time. */
export interface TurnedMarket extends TestMarket {
  readonly platform: Pick<Platform, 'db' | 'clock'>
  readonly market: Pick<Market, 'queryCache' | 'memory'>
  readonly clock: Platform['clock']
  passTime(ms: number): void
  /** Sells all that a player holds of a token, and returns the SOL received. */
  sellAll(userId: UserId, tokenId: TokenId): Promise<Decimal>
  heldBy(userId: UserId, tokenId: TokenId): Promise<Decimal>
  rug(creator: UserId, tokenId: TokenId): Promise<void>
}

export async function createTurnedMarket(): Promise<TurnedMarket> {
  let nowMs = Date.parse('2026-01-05T12:00:30.500Z')
  const clock = { now: () => new Date(nowMs) }
  const market = await createTestMarket({ clock })
  const heldBy = async (userId: UserId, tokenId: TokenId) => {
    const row = await market.db
      .selectFrom('holdings')
      .select('amount')
      .where('user_id', '=', userId)
      .where('token_id', '=', tokenId)
      .executeTakeFirst()
    return new Decimal(row?.amount ?? 0)
  }
  return {
    ...market,
    platform: { db: market.db, clock },
    market: { queryCache, memory: new Memory(systemTimers) },
    clock,
    addPlayer: async (balance) => {
      const userId = await market.addPlayer(balance)
      await sql`update grants set created_at = ${clock.now()} where user_id = ${userId}`.execute(market.db)
      return userId
    },
    passTime: (ms) => {
      nowMs += ms
    },
    heldBy,
    sellAll: async (userId, tokenId) => {
      const tokens = await heldBy(userId, tokenId)
      const { trade } = await market.engine.submit({ kind: 'sell', userId, tokenId, tokens })
      return new Decimal(trade.solAmount)
    },
    rug: async (creator, tokenId) => {
      await market.engine.submit({ kind: 'rug', userId: creator, tokenId })
    },
  }
}

/** Creates a market for all tests of a file, which calls this once at its top. The market is closed after them. */
export async function shareTurnedMarket(): Promise<TurnedMarket> {
  const market = await createTurnedMarket()
  afterAll(() => market.close())
  return market
}

/** An action of a player. `player` and `token` are indexes that wrap around. */
export type Action =
  | { readonly kind: 'launch'; readonly player: number; readonly lamports: number }
  | { readonly kind: 'buy'; readonly player: number; readonly token: number; readonly lamports: number }
  | { readonly kind: 'sell'; readonly player: number; readonly token: number; readonly permille: number }
  | { readonly kind: 'rug'; readonly token: number }
  | { readonly kind: 'wait'; readonly minutes: number }

const index = fc.nat(9)
const lamports = fc.integer({ min: 1, max: 15_000_000_000 })

/** Generates lists of random actions. */
export const anyActions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('launch' as const), player: index, lamports }) },
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('buy' as const), player: index, token: index, lamports }) },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('sell' as const),
        player: index,
        token: index,
        permille: fc.constantFrom(1_000, 1_000, 500, 1),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('rug' as const), token: index }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(0, 1, 59, 299, 361, 1_440) }),
    },
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
)

interface Launched {
  readonly id: TokenId
  readonly creator: UserId
}

/** The operations that a market must offer to carry out the actions. */
type Stage = Pick<TurnedMarket, 'heldBy' | 'passTime' | 'rug'> & {
  launch(creator: UserId, sol?: string): Promise<TokenId>
  buy(userId: UserId, tokenId: TokenId, sol: string): Promise<unknown>
  sell(userId: UserId, tokenId: TokenId, tokens: string): Promise<unknown>
}

/**
 * Plays actions of `players`, who launch a token each at first, and writes them as one history. `write-history.test.ts`
 * tests that this equals single orders. Actions that a rule rejects are left out.
 */
export async function play(
  market: TurnedMarket,
  players: readonly UserId[],
  actions: readonly Action[],
): Promise<readonly Launched[]> {
  const { db, pool } = market
  const { rows: ids } = await sql<{ id: TokenId }>`
    select nextval('tokens_id_seq')::int as id from generate_series(1, ${players.length + actions.length})`.execute(db)
  const history = new MarketHistory({ nextTokenId: () => ids.shift()?.id as TokenId })
  const accounts = db
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['username', 'sol_balance'])
  for (const userId of players) {
    const { username, sol_balance } = await accounts.where('user_id', '=', userId).executeTakeFirstOrThrow()
    history.addPlayer({ userId, username }, new Decimal(sol_balance))
  }
  const place = (order: Order) => history.place({ order, atMs: market.clock.now().getTime(), requestKey: randomUUID() })
  const tokens = await playOn(
    {
      passTime: market.passTime,
      heldBy: async (userId, tokenId) => history.market.position(tokenId, userId).amount,
      launch: async (userId, sol) => {
        const initialBuy = sol === undefined ? undefined : parseSol(sol)
        place({ kind: 'launch', userId, token: aToken, initialBuy })
        return history.launches.at(-1)?.tokenId as TokenId
      },
      buy: async (userId, tokenId, sol) => place({ kind: 'buy', userId, tokenId, sol: parseSol(sol) }),
      sell: async (userId, tokenId, tokens) => place({ kind: 'sell', userId, tokenId, tokens: parseTokens(tokens) }),
      rug: async (userId, tokenId) => void place({ kind: 'rug', userId, tokenId }),
    },
    players,
    actions,
  )
  const client = await pool.connect()
  try {
    await client.query('begin')
    await writeHistory(client, history, await reservePositions(client, history.length))
    await client.query('commit')
  } finally {
    client.release(true)
  }
  return tokens
}

/**
 * Like `play`, but each action is an order of the engine. It also trades the tokens `launched` by others, whose rugs
 * nobody pulls. Calls `look` after each order that was carried out.
 */
export async function playEach(
  market: TurnedMarket,
  { players, actions, look, launched = [] }: Played,
): Promise<readonly Launched[]> {
  const after = async <T>(answer: Promise<T>): Promise<T> => {
    const done = await answer
    await look()
    return done
  }
  const watched: Stage = {
    heldBy: market.heldBy,
    passTime: market.passTime,
    launch: (...order) => after(market.launch(...order)),
    buy: (...order) => after(market.buy(...order)),
    sell: (...order) => after(market.sell(...order)),
    rug: (...order) => after(market.rug(...order)),
  }
  return await playOn(watched, players, actions, launched)
}

interface Played {
  readonly players: readonly UserId[]
  readonly actions: readonly Action[]
  look(): Promise<void>
  readonly launched?: readonly Launched[]
}

async function playOn(
  stage: Stage,
  players: readonly UserId[],
  actions: readonly Action[],
  launched: readonly Launched[] = [],
): Promise<readonly Launched[]> {
  const at = <T>(list: readonly T[], place: number): T => list[place % list.length] as T
  const tokens = [...launched]
  const launch = async (creator: UserId, sol?: string) => {
    tokens.push({ id: await stage.launch(creator, sol), creator })
  }
  for (const player of players) await launch(player)
  const act = async (action: Action): Promise<void> => {
    if (action.kind === 'wait') return stage.passTime(action.minutes * 60_000)
    if (action.kind === 'launch') return await launch(at(players, action.player), toSol(action.lamports))
    const token = at(tokens, action.token)
    if (action.kind === 'rug')
      return players.includes(token.creator) ? await stage.rug(token.creator, token.id) : undefined
    const player = at(players, action.player)
    if (action.kind === 'buy') return void (await stage.buy(player, token.id, toSol(action.lamports)))
    const held = await stage.heldBy(player, token.id)
    const part = held.mul(action.permille).div(1_000).toDecimalPlaces(6)
    if (part.gt(0)) await stage.sell(player, token.id, tokensText(part))
  }
  for (const action of actions) {
    await act(action).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error
    })
  }
  return tokens
}

function toSol(count: number): string {
  return new Decimal(count).div(1_000_000_000).toFixed()
}
