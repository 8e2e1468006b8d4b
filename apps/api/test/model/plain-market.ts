/** Decimals by kind of amount: SOL in lamports, tokens in micros, prices in 10⁻¹⁸ SOL. */
export const SOL_DECIMALS = 9
export const TOKEN_DECIMALS = 6
const PRICE_DECIMALS = 18

/** One SOL in lamports. */
export const SOL = 10n ** 9n
/** One token in micros. */
export const TOKEN = 10n ** 6n

export const formatSol = (lamports: bigint): string => formatUnits(lamports, SOL_DECIMALS)
export const formatTokens = (micros: bigint): string => formatUnits(micros, TOKEN_DECIMALS)
export const formatPrice = (price: bigint): string => formatUnits(price, PRICE_DECIMALS)

/** Formats units as the API does: plain, exact, without trailing zeros. */
function formatUnits(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** A pool in lamports and micros. */
export interface PlainPool {
  readonly sol: bigint
  readonly virtualSol: bigint
  readonly tokens: bigint
}

/** A trade's amounts in lamports and micros, and the pool after it. */
export interface PlainQuote {
  readonly pool: PlainPool
  readonly fee: bigint
  /** SOL the buyer pays, or the seller is paid before the fee. */
  readonly volume: bigint
  /** The trader's output: tokens of a buy, SOL of a sale. */
  readonly out: bigint
}

export const SUPPLY = 1_000_000_000n * TOKEN
export const freshPool: PlainPool = { sol: 30n * SOL, virtualSol: 30n * SOL, tokens: SUPPLY }
export const ruggedPool = ({ tokens }: PlainPool): PlainPool => ({ sol: 0n, virtualSol: 0n, tokens })

// The formulas of docs/amm.md, implemented independently of packages/amm.

/** A buy of `g` lamports: fee = ⌈0.003 g⌉, S′ = S + g − fee, T′ = ⌈S T / S′⌉. */
export function quoteBuy(pool: PlainPool, g: bigint): PlainQuote {
  const fee = ceilDiv(3n * g, 1_000n)
  const sol = pool.sol + g - fee
  const tokens = ceilDiv(pool.sol * pool.tokens, sol)
  return { pool: { ...pool, sol, tokens }, fee, volume: g, out: pool.tokens - tokens }
}

/** A sale of `t` micros: T′ = T + t, S′ = ⌈S T / T′⌉, fee = ⌈0.003 (S − S′)⌉. */
export function quoteSell(pool: PlainPool, t: bigint): PlainQuote {
  const tokens = pool.tokens + t
  const sol = ceilDiv(pool.sol * pool.tokens, tokens)
  const gross = pool.sol - sol
  const fee = ceilDiv(3n * gross, 1_000n)
  return { pool: { ...pool, sol, tokens }, fee, volume: gross, out: gross - fee }
}

/** What selling `t` micros now would pay; 0 if less than a lamport. */
export function cashOut(pool: PlainPool, t: bigint): bigint {
  return pool.sol === 0n || t === 0n ? 0n : quoteSell(pool, t).out
}

/** S / T in 10⁻¹⁸ SOL per token, cut. */
export const spotPrice = ({ sol, tokens }: PlainPool): bigint => averagePrice(sol, tokens)

/** Converts lamports per micro to 10⁻¹⁸ SOL per token, cut. */
export const averagePrice = (lamports: bigint, micros: bigint): bigint => (lamports * 10n ** 15n) / micros

/** Mark value in lamports, cut: micros × 10⁻¹⁸ SOL = 10⁻²⁴ SOL. */
export const markValue = (micros: bigint, price: bigint): bigint => (micros * price) / 10n ** 15n

function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

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
