import type { MarketTrade } from '@papermoon/contract/tokens'
import { type TradeRow, toTrade } from '@papermoon/engine'
import { sql } from 'kysely'
import { IS_BOT } from './conditions.ts'

export interface MarketTradeRow extends TradeRow {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
}

/** SQL for the columns of a `MarketTradeRow`, from a trade `t` by a user `u` for a token `k`. */
export const MARKET_TRADE = sql`
  t.id, t.token_id, t.seq, t.user_id, u.username, ${IS_BOT} as is_bot, t.side, t.sol_amount, t.fee, t.token_amount,
  t.price, t.spot_price, t.created_at, k.name, k.symbol, k.emoji`

export function toMarketTrade(row: MarketTradeRow): MarketTrade {
  return { ...toTrade(row), tokenName: row.name, tokenSymbol: row.symbol, emoji: row.emoji }
}
