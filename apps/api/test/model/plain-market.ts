import { type RefPool, type RefPosition, refLaunch, refText } from '@papermoon/amm/testing'

/** One SOL in lamports. */
export const SOL = 10n ** 9n

// SOL is in lamports, tokens in micros, prices in 10⁻¹⁸ SOL; the arithmetic is that of packages/amm/test/reference.ts.

export const formatSol = (lamports: bigint): string => refText(lamports, 9)
export const formatTokens = (micros: bigint): string => refText(micros, 6)
export const formatPrice = (price: bigint): string => refText(price, 18)

type Kinds =
  | { readonly kind: 'launch'; readonly name: string; readonly symbol: string; readonly sol: bigint }
  | { readonly kind: 'buy'; readonly tokenId: number; readonly sol: bigint; readonly minimum: bigint | null }
  | { readonly kind: 'sell'; readonly tokenId: number; readonly tokens: bigint; readonly minimum: bigint | null }
  | { readonly kind: 'rug'; readonly tokenId: number }
  | { readonly kind: 'reset' }

/** A player's order in lamports and micros; `key` is the idempotency key, null for none. */
export type PlainOrder = Kinds & { readonly userId: number; readonly key: string | null }
export type OrderOf<Kind extends Kinds['kind']> = Extract<PlainOrder, { readonly kind: Kind }>

/** The market's answer: a result, or a refusal with status and sentence. */
export type PlainAnswer =
  | { readonly ok: true; readonly body: Record<string, unknown> }
  | { readonly ok: false; readonly status: number; readonly sentence: string }

/** Equal for repeats of an order. Key and minimum output are not part of it. */
export function toFingerprint(order: PlainOrder): string {
  const { kind } = order
  if (kind === 'launch') return `${kind} ${order.name} ${order.symbol} ${order.sol}`
  if (kind === 'buy') return `${kind} ${order.tokenId} ${order.sol}`
  if (kind === 'sell') return `${kind} ${order.tokenId} ${order.tokens}`
  return kind === 'rug' ? `${kind} ${order.tokenId}` : kind
}

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
  pool: RefPool
  seq: number
  isRugged: boolean
  /** Oldest first, with the hour and the volume in lamports. */
  readonly trades: { readonly trade: PlainTrade; readonly hour: number; readonly volume: bigint }[]
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
  /** By token and player. */
  readonly holdings: Map<string, RefPosition>
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
  const added: PlainToken = { ...token, pool: refLaunch(), seq: 0, isRugged: false, trades: [] }
  market.tokens.push(added)
  return added
}

export function getHolding({ holdings }: PlainMarket, tokenId: number, userId: number): RefPosition {
  return holdings.get(`${tokenId} ${userId}`) ?? { amount: 0n, cost: 0n }
}

export function getPlayer({ players }: PlainMarket, id: number): PlainPlayer {
  const player = players.find((each) => each.id === id)
  if (player === undefined) throw new Error(`no player ${id}`)
  return player
}
