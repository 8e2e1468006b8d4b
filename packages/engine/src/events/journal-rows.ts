import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { Seal, Trade } from '@papermoon/contract/market-events'
import { formatNumeric, type TradesTable } from '@papermoon/db'
import type { Selectable } from 'kysely'

/** A row of `trades` with the trader's username. */
export type TradeRow = Omit<Selectable<TradesTable>, 'request_key' | 'hash' | 'sol_reserve' | 'token_reserve'> & {
  readonly username: string
  readonly is_bot: boolean
}

/** Converts a row to a public trade with exact decimals, without trailing zeros. */
export function toTrade(row: TradeRow): Trade {
  return {
    id: row.id,
    tokenId: row.token_id as TokenId,
    seq: row.seq,
    side: row.side,
    solAmount: formatNumeric(row.sol_amount),
    fee: formatNumeric(row.fee),
    tokenAmount: formatNumeric(row.token_amount),
    price: formatNumeric(row.price),
    spotPrice: formatNumeric(row.spot_price),
    createdAt: row.created_at.toISOString(),
    userId: row.user_id as UserId,
    username: row.username,
    isBot: row.is_bot,
  }
}

export interface SealRow {
  readonly until: Date
  readonly bag_until: Date | null
  readonly bag_tokens: string
}

export function toSeal({ until, bag_until, bag_tokens }: SealRow): Seal {
  return {
    liquidityUntil: until.toISOString(),
    bagUntil: bag_until?.toISOString() ?? null,
    bagTokens: formatNumeric(bag_tokens),
  }
}
