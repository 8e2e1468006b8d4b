import { SOL, TOKEN } from './units.ts'

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
