import { FEE_RATE, LAUNCH_FEE, SUPPLY, VIRTUAL_SOL } from '@papermoon/amm'

/** The market maker's constants as floats. */
export const LAUNCH_SOL = VIRTUAL_SOL.toNumber()
export const LAUNCH_TOKENS = SUPPLY.toNumber()
export const LAUNCH_COST = LAUNCH_FEE.toNumber()
export const FEE = FEE_RATE.toNumber()
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The price of a token before its first trade, in SOL. */
export const LAUNCH_PRICE = LAUNCH_SOL / LAUNCH_TOKENS

/** Returns the tokens for `sol` SOL, after the fee. The formula is x·y = k, see docs/amm.md. */
export function toTokensOut(solReserve: number, tokenReserve: number, sol: number): number {
  const net = sol * (1 - FEE)
  return (tokenReserve * net) / (solReserve + net)
}

/** Returns the SOL for `tokens` tokens, before the fee. */
export function toGrossOut(solReserve: number, tokenReserve: number, tokens: number): number {
  return (solReserve * tokens) / (tokenReserve + tokens)
}

/** Truncates SOL to a lamport. */
export function cutSol(sol: number): number {
  return Math.floor(sol * 1e9) / 1e9
}

/** Truncates tokens to their smallest unit. */
export function cutTokens(tokens: number): number {
  return Math.floor(tokens * 1e6) / 1e6
}
