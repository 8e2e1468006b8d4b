import {
  type Decimal,
  LAUNCH_FEE,
  launchPool,
  parseSol,
  parseTokens,
  quoteBuy,
  quoteSell,
  STARTING_BALANCE,
  solText,
  tokensText,
} from '@papermoon/amm'
import { expect } from '@playwright/test'
import type { Trade } from './player.ts'

/**
 * The exact SOL of a player who launched one token and made all of its trades: replays the trades with
 * `@papermoon/amm`.
 */
export function expectedBalance(trades: readonly Trade[]): string {
  let pool = launchPool()
  let balance: Decimal = STARTING_BALANCE.sub(LAUNCH_FEE)
  for (const trade of trades) {
    if (trade.side === 'buy') {
      const quote = quoteBuy(pool, parseSol(trade.solAmount))
      expect(trade).toMatchObject({ tokenAmount: tokensText(quote.tokensOut), fee: solText(quote.fee) })
      balance = balance.sub(quote.solIn)
      pool = quote.pool
    } else {
      const quote = quoteSell(pool, parseTokens(trade.tokenAmount))
      expect(trade).toMatchObject({ solAmount: solText(quote.solOut), fee: solText(quote.fee) })
      balance = balance.add(quote.solOut)
      pool = quote.pool
    }
  }
  return solText(balance)
}
