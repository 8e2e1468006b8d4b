import { AmmError, type BuyQuote, Decimal, LAUNCH_FEE, launchPool, parseSol, quoteBuy } from '@papermoon/amm'

/** The quote of an initial buy; null for none, an error for an amount that cannot be traded. */
export function initialQuote(typed: string): BuyQuote | AmmError | null {
  if (/^[0.]*$/.test(typed)) return null
  try {
    return quoteBuy(launchPool(), parseSol(typed))
  } catch (error) {
    if (error instanceof AmmError) return error
    throw error
  }
}

/** Whether the launch fee plus the initial buy exceeds `balance` (SOL). */
export function exceedsBalance(initialBuyAmount: string, balance: string): boolean {
  const quote = initialQuote(initialBuyAmount)
  const buy = quote === null || quote instanceof AmmError ? new Decimal(0) : quote.solIn
  return buy.add(LAUNCH_FEE).gt(balance)
}
