import type { PlainOrder } from './orders.ts'
import { freshPool, type PlainPool } from './plain-pool.ts'
import { SOL } from './units.ts'

/** Starting balance in lamports. */
export const FIRST = 100n * SOL

/** A player in the model; SOL in lamports. */
export interface PlainPlayer {
  readonly id: number
  readonly username: string
  balance: bigint
  realized: bigint
  /** SOL granted at registration and by resets. */
  granted: bigint
  /** Snapshots before each wait, oldest first. */
  readonly past: { readonly hour: number; readonly netWorth: bigint; readonly granted: bigint }[]
  /** Hour of the last reset; null for never. */
  resetAt: number | null
}

/** A trade as in the API, without id and time, which the server chooses. */
export interface PlainTrade {
  readonly tokenId: number
  readonly seq: number
  readonly side: 'buy' | 'sell'
  readonly solAmount: string
  readonly fee: string
  readonly tokenAmount: string
  readonly price: string
  readonly spotPrice: string
  readonly userId: number
  readonly username: string
  readonly isBot: boolean
}

export interface PlainToken {
  readonly id: number
  readonly name: string
  readonly symbol: string
  readonly creator: number
  pool: PlainPool
  seq: number
  isRugged: boolean
  /** Oldest first, with the hour and the volume in lamports. */
  readonly trades: { readonly trade: PlainTrade; readonly hour: number; readonly volume: bigint }[]
}

/** Tokens held in micros, and their cost in lamports. */
export interface PlainHolding {
  amount: bigint
  cost: bigint
}

/** An executed order with a key, for answering repeats. */
export interface Answered {
  readonly order: PlainOrder
  readonly tokenId: number
  /** The part of the answer that never changes. */
  readonly first: object
  /** Ids and times of the first answer; null until known. */
  stamps: string | null
}

/** The whole market as plain data, small enough to be copied for each step. */
export interface PlainMarket {
  readonly players: PlainPlayer[]
  readonly tokens: PlainToken[]
  /** By `holdingKey`. */
  readonly holdings: Map<string, PlainHolding>
  /** By player and key. */
  readonly answered: Map<string, Answered>
  /** Hours since the market began. */
  hour: number
}

export function emptyMarket(): PlainMarket {
  return { players: [], tokens: [], holdings: new Map(), answered: new Map(), hour: 0 }
}

export function addPlayer(market: PlainMarket, id: number, username: string): void {
  market.players.push({ id, username, balance: FIRST, realized: 0n, granted: FIRST, past: [], resetAt: null })
}

export function addToken(
  market: PlainMarket,
  token: Pick<PlainToken, 'id' | 'name' | 'symbol' | 'creator'>,
): PlainToken {
  const added: PlainToken = { ...token, pool: freshPool, seq: 0, isRugged: false, trades: [] }
  market.tokens.push(added)
  return added
}

/** Returns a player's holding of a token, creating an empty one if needed. */
export function getHolding({ holdings }: PlainMarket, tokenId: number, userId: number): PlainHolding {
  const key = `${tokenId} ${userId}`
  const holding = holdings.get(key) ?? { amount: 0n, cost: 0n }
  holdings.set(key, holding)
  return holding
}

export function getPlayer({ players }: PlainMarket, id: number): PlainPlayer {
  const player = players.find((each) => each.id === id)
  if (player === undefined) throw new Error(`no player ${id}`)
  return player
}
