import { Decimal, parseSol } from '@papermoon/amm'
import { createLog } from '@papermoon/api/testing'
import type { TestDatabase } from '@papermoon/db/testing'
import type { TokenId, UserId } from '@papermoon/engine'
import { createTradingEngine } from '@papermoon/engine'
import { fetchId } from '../support/holdings.ts'
import { type Player, registerPlayer } from '../support/player.ts'
import { type Server, startServer } from '../support/server.ts'

const HOUR_MS = 3_600_000
const MARKET_AGE_MS = 27 * HOUR_MS
const ACCOUNT_AGE = '3 days'
const PLAYERS = 8
const TRADES = 900
const NOTHING = { website: null, x: null, telegram: null, description: null }
/** A name with the max length in the widest letters. */
export const LONG_NAME = 'W'.repeat(32)

/** Tokens in launch order: player N launched token N. */
const TOKENS = [
  {
    ...NOTHING,
    name: 'Paper Moon',
    symbol: 'MOON',
    emoji: '🌙',
    description: 'It is only a paper moon, sailing over a cardboard sea.',
    website: 'https://papermoon.example',
    x: 'https://x.com/papermoon',
    telegram: 'https://t.me/papermoon',
  },
  { ...NOTHING, name: 'Cotton Candy', symbol: 'CANDY', emoji: '🍭' },
  { ...NOTHING, name: 'Ferris Wheel Finance', symbol: 'FERRIS', emoji: '🎡', description: 'What goes up goes round.' },
  { ...NOTHING, name: 'Toothless Tiger', symbol: 'TIGER', emoji: '🐯' },
  { ...NOTHING, name: 'Goose That Lays Absolutely Nothi', symbol: 'GOOSE', emoji: '🪿' },
  { ...NOTHING, name: 'Magic Carpet', symbol: 'CARPET', emoji: '🧞', description: 'Trust me.' },
  { ...NOTHING, name: LONG_NAME, symbol: 'WWWWWWWWWW', emoji: '🎪', description: LONG_NAME.repeat(8) },
] as const
const RUGGED_AT = 5

/** A server whose market is one day old and contains everything that the pictures should show. */
export interface MadeMarket {
  readonly server: Server
  /** A player who launched the first token, traded all tokens and holds the one with the wide name. */
  readonly trader: Player
  /** An account without any trades. */
  readonly newcomer: Player
  readonly newcomerId: number
  readonly traded: number
  readonly untraded: number
  readonly rugged: number
  /** The token whose name, ticker and description have the max length and width. */
  readonly wide: number
}

/** Creates a market with 27 hours of trades that end now. Each run creates the same trades, but at other times. */
export async function makeMarket(): Promise<MadeMarket> {
  const server = await startServer()
  const players: Player[] = []
  for (let i = 0; i < PLAYERS; i++) players.push(await registerPlayer(server.url))
  const [trader] = players
  const ids = await Promise.all(players.map((player) => fetchId(player)))
  if (trader === undefined) throw new Error('a market without players')
  let tokenIds: readonly number[] = []
  await server.rewrite(async (database) => {
    await database.pool.query(`update users set created_at = created_at - interval '${ACCOUNT_AGE}'`)
    await database.pool.query(`update grants set created_at = created_at - interval '${ACCOUNT_AGE}'`)
    tokenIds = await trade(database, ids as UserId[])
  })
  const untraded = await trader.launch({ name: 'Blank Page', symbol: 'BLANK', emoji: '📄' })
  const newcomer = await registerPlayer(server.url)
  const [traded = 0] = tokenIds
  const wide = tokenIds[RUGGED_AT + 1] ?? 0
  await trader.buy(wide, '0.01')
  return {
    server,
    trader,
    newcomer,
    newcomerId: await fetchId(newcomer),
    traded,
    untraded,
    rugged: tokenIds[RUGGED_AT] ?? 0,
    wide,
  }
}

async function trade({ pool }: TestDatabase, users: readonly UserId[]): Promise<number[]> {
  let nowMs = Date.now() - MARKET_AGE_MS
  const clock = { now: () => new Date(nowMs) }
  const engine = createTradingEngine({ pool, clock, log: await createLog('warn'), publish: () => {} })
  const random = createRandom()
  const tokens: TokenId[] = []
  for (const [i, token] of TOKENS.entries()) {
    nowMs += Math.floor(600_000 * random())
    const order = { kind: 'launch', userId: userAt(users, i), token, initialBuy: parseSol('1.5') } as const
    tokens.push((await engine.submit(order)).tokenId)
  }
  const held = new Map<string, string>()
  for (let i = 0; i < TRADES; i++) {
    nowMs += Math.floor(((Date.now() - nowMs) / (TRADES - i)) * (0.4 + 1.2 * random()))
    const userId = userAt(users, Math.floor(random() * users.length))
    const tokenId = (random() < 0.55 ? tokens[0] : tokens[Math.floor(random() * tokens.length)]) ?? (0 as TokenId)
    const key = `${userId} ${tokenId}`
    const amount = held.get(key)
    const wantsOut = random() > 0.6 + 0.25 * Math.sin(i / 90)
    const share = (0.25 + 0.75 * random()).toFixed(3)
    const sol = (0.1 + 2.5 * random() ** 2).toFixed(3)
    const order =
      amount !== undefined && wantsOut
        ? ({ kind: 'sell', userId, tokenId, tokens: new Decimal(amount).mul(share).toDecimalPlaces(6) } as const)
        : ({ kind: 'buy', userId, tokenId, sol: parseSol(sol) } as const)
    // Ignore that the server may reject an order, because a player may have no SOL left.
    const done = await engine.submit(order).catch(() => null)
    if (done === null) continue
    if (done.position.amount === '0') held.delete(key)
    else held.set(key, done.position.amount)
  }
  const carpet = tokens[RUGGED_AT]
  if (carpet !== undefined) await engine.submit({ kind: 'rug', userId: userAt(users, RUGGED_AT), tokenId: carpet })
  await engine.close()
  return tokens
}

function userAt(users: readonly UserId[], place: number): UserId {
  const user = users[place % users.length]
  if (user === undefined) throw new Error('a market without players')
  return user
}

/** Creates a seeded random generator that returns the same numbers from 0 to 1 on each run. */
function createRandom(): () => number {
  let state = 7
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
