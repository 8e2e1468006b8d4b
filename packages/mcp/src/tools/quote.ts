import { Decimal, leastAccepted } from '@papermoon/amm'
import type { Papermoon } from './tool.ts'

const SOL_DECIMALS = 9
const TOKEN_DECIMALS = 6

export interface QuoteInput {
  readonly tokenId: number
  readonly side: 'buy' | 'sell'
  readonly amount: string
  readonly slippage: string
}

/** Returns a quote for an order, and the minimum that the order should accept. */
export async function quote(api: Papermoon, { tokenId, side, amount, slippage }: QuoteInput) {
  const isBuy = side === 'buy'
  const order = isBuy
    ? { side: 'buy' as const, tokenId, solAmount: amount }
    : { side: 'sell' as const, tokenId, tokenAmount: amount }
  const { solAmount, tokenAmount, launchFee: _, ...figures } = await api.trading.quote.query(order)
  const output = new Decimal(isBuy ? tokenAmount : solAmount)
  const least = leastAccepted(output, new Decimal(slippage), isBuy ? TOKEN_DECIMALS : SOL_DECIMALS).toFixed()
  const bounds = isBuy ? { tokensOut: tokenAmount, minTokensOut: least } : { solOut: solAmount, minSolOut: least }
  return { ...figures, amount, ...bounds }
}
