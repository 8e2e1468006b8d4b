/**
 * A second implementation of the AMM for tests. It computes with BigInt in whole lamports (10⁻⁹ SOL), micro-tokens
 * (10⁻⁶ tokens) and 10⁻¹⁸ SOL per token, with the ⌈…⌉ forms of docs/amm.md. It shares no code with the package.
 */
export type RefPool = { readonly sol: bigint; readonly virtualSol: bigint; readonly tokens: bigint }
/** Numbers by name in their smallest units, or `{ error: code }`. */
export type RefFigures = { readonly [field: string]: bigint | string | RefFigures }
type RefError = { readonly error: string }
type RefSpots = { readonly spotBefore: bigint; readonly spotAfter: bigint; readonly priceImpact: bigint }
type RefTrade = RefSpots & { readonly fee: bigint; readonly price: bigint; readonly pool: RefPool }
type RefBuy = RefTrade & { readonly tokensOut: bigint }
type RefSale = RefTrade & { readonly gross: bigint; readonly solOut: bigint }

export const REF_SOL_MAX = 10n ** 20n - 1n
export const REF_TOKENS_MAX = 10n ** 20n - 1n

export function refLaunch(): RefPool {
  return { sol: 30n * 10n ** 9n, virtualSol: 30n * 10n ** 9n, tokens: 10n ** 15n }
}

/** Returns the price in 10⁻¹⁸ SOL per token, from lamports and micro-tokens: 10⁻⁹ / 10⁻⁶ × 10¹⁸ = 10¹⁵. */
export function refPrice(sol: bigint, tokens: bigint): bigint {
  return (sol * 10n ** 15n) / tokens
}

export function refBuy(pool: RefPool, solIn: bigint): RefBuy | RefError {
  if (pool.sol === 0n) return { error: 'POOL_CLOSED' }
  if (solIn <= 0n) return { error: 'NOT_POSITIVE' }
  const fee = ceilDiv(solIn * 3n, 1000n)
  const solAfter = pool.sol + solIn - fee
  if (solIn > REF_SOL_MAX || solAfter > REF_SOL_MAX) return { error: 'AMOUNT_TOO_LARGE' }
  const tokensAfter = ceilDiv(pool.sol * pool.tokens, solAfter)
  const tokensOut = pool.tokens - tokensAfter
  if (tokensOut === 0n) return { error: 'OUTPUT_IS_ZERO' }
  const next: RefPool = { sol: solAfter, virtualSol: pool.virtualSol, tokens: tokensAfter }
  return { fee, tokensOut, price: refPrice(solIn, tokensOut), ...refSpots(pool, next), pool: next }
}

export function refSell(pool: RefPool, tokensIn: bigint): RefSale | RefError {
  if (pool.sol === 0n) return { error: 'POOL_CLOSED' }
  if (tokensIn <= 0n) return { error: 'NOT_POSITIVE' }
  const tokensAfter = pool.tokens + tokensIn
  if (tokensIn > REF_TOKENS_MAX || tokensAfter > REF_TOKENS_MAX) return { error: 'AMOUNT_TOO_LARGE' }
  const solAfter = ceilDiv(pool.sol * pool.tokens, tokensAfter)
  if (solAfter < pool.virtualSol) return { error: 'INSUFFICIENT_LIQUIDITY' }
  const gross = pool.sol - solAfter
  const fee = ceilDiv(gross * 3n, 1000n)
  const solOut = gross - fee
  if (solOut === 0n) return { error: 'OUTPUT_IS_ZERO' }
  const next: RefPool = { sol: solAfter, virtualSol: pool.virtualSol, tokens: tokensAfter }
  return { gross, fee, solOut, price: refPrice(solOut, tokensIn), ...refSpots(pool, next), pool: next }
}

export function refRug(pool: RefPool): { readonly drained: bigint; readonly pool: RefPool } | RefError {
  if (pool.sol === 0n) return { error: 'POOL_CLOSED' }
  return { drained: pool.sol - pool.virtualSol, pool: { sol: 0n, virtualSol: 0n, tokens: pool.tokens } }
}

/** Estimates both buys and sales: returns how much `amountIn` of one reserve takes out of the other, without a fee. */
export function refEstimate(reserveIn: bigint, reserveOut: bigint, amountIn: bigint): bigint {
  if (reserveIn <= 0n || reserveOut <= 0n || amountIn <= 0n) return 0n
  return reserveOut - ceilDiv(reserveIn * reserveOut, reserveIn + amountIn)
}

export type RefPosition = { readonly amount: bigint; readonly cost: bigint }

type RefSold = { readonly position: RefPosition; readonly costRemoved: bigint; readonly realizedPnl: bigint }

export function refPositionBuy(
  position: RefPosition,
  tokensOut: bigint,
  solIn: bigint,
): { readonly position: RefPosition } | RefError {
  const next: RefPosition = { amount: position.amount + tokensOut, cost: position.cost + solIn }
  return next.amount > REF_TOKENS_MAX || next.cost > REF_SOL_MAX ? { error: 'AMOUNT_TOO_LARGE' } : { position: next }
}

export function refPositionSell(position: RefPosition, tokensIn: bigint, solOut: bigint): RefSold | RefError {
  if (tokensIn > position.amount) return { error: 'INSUFFICIENT_TOKENS' }
  const costRemoved = tokensIn === position.amount ? position.cost : (position.cost * tokensIn) / position.amount
  const next: RefPosition = { amount: position.amount - tokensIn, cost: position.cost - costRemoved }
  return { position: next, costRemoved, realizedPnl: solOut - costRemoved }
}

/** Returns `units` of 10⁻ᵈ as plain decimal text without trailing zeros. */
export function refText(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function refSpots(before: RefPool, after: RefPool): RefSpots {
  const scale = before.sol * after.tokens
  return {
    spotBefore: refPrice(before.sol, before.tokens),
    spotAfter: refPrice(after.sol, after.tokens),
    // BigInt division truncates toward zero, like the package.
    priceImpact: ((after.sol * before.tokens - scale) * 10n ** 18n) / scale,
  }
}

function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}
