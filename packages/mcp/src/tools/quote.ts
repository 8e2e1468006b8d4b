import { AmmError, Decimal, leastAccepted, type Pool, parseSol, parseTokens, quoteBuy, quoteSell } from '@papermoon/amm'
import type { AppOutputs } from '@papermoon/client'
import type { Papermoon } from './tool.ts'

const SOL_DECIMALS = 9
const TOKEN_DECIMALS = 6

export interface QuoteInput {
  readonly tokenId: number
  readonly side: 'buy' | 'sell'
  readonly amount: string
  readonly slippage: string
}

/** Quotes an order with the arithmetic that the server settles with, on the token's pool of now. */
export async function quote(api: Papermoon, { tokenId, side, amount, slippage }: QuoteInput) {
  const { pool, symbol, currentPrice } = await api.tokens.get.query({ id: tokenId })
  const order = { tokenId, symbol, side, amount, currentPrice }
  try {
    return { ...order, ...(side === 'buy' ? toBuyQuote : toSaleQuote)(toPool(pool), amount, new Decimal(slippage)) }
  } catch (error) {
    if (!(error instanceof AmmError)) throw error
    return { ...order, refusal: error.code, message: error.message }
  }
}

function toBuyQuote(pool: Pool, amount: string, slippage: Decimal) {
  const { tokensOut, fee, price, spotAfter } = quoteBuy(pool, parseSol(amount))
  const minTokensOut = leastAccepted(tokensOut, slippage, TOKEN_DECIMALS)
  return toTexts({ tokensOut, minTokensOut, fee, price, priceAfter: spotAfter })
}

function toSaleQuote(pool: Pool, amount: string, slippage: Decimal) {
  const { solOut, fee, price, spotAfter } = quoteSell(pool, parseTokens(amount))
  const minSolOut = leastAccepted(solOut, slippage, SOL_DECIMALS)
  return toTexts({ solOut, minSolOut, fee, price, priceAfter: spotAfter })
}

function toTexts(figures: Record<string, Decimal>): Record<string, string> {
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, figure.toFixed()]))
}

function toPool({ solReserve, tokenReserve, realSol }: AppOutputs['tokens']['get']['pool']): Pool {
  const sol = new Decimal(solReserve)
  return { sol, virtualSol: sol.sub(realSol), tokens: new Decimal(tokenReserve) }
}
