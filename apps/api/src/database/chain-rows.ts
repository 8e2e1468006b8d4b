import { hash } from 'node:crypto'
import { type ChainLaunch, type ChainRug, type ChainSeal, type ChainTrade, launchText } from '@papermoon/chain'
import { formatNumeric, type RugsTable, type TradesTable } from '@papermoon/db'
import type { Selectable } from 'kysely'

/** The columns of `tokens` that are hashed for a launch. */
export interface LaunchRow {
  readonly id: number
  readonly creator_id: number
  readonly supply: string
  readonly launch_price: string
  readonly created_at: Date
  readonly name: string
  readonly symbol: string
}

/** The columns of `trades` that are hashed. */
export type ChainTradeRow = Omit<Selectable<TradesTable>, 'id' | 'request_key' | 'hash'>

/** The columns of `rugs` that are hashed. */
export type ChainRugRow = Pick<Selectable<RugsTable>, 'token_id' | 'seq' | 'user_id' | 'amount' | 'created_at'>

export function toChainLaunch(row: LaunchRow): ChainLaunch {
  return {
    tokenId: row.id,
    creatorId: row.creator_id,
    supply: formatNumeric(row.supply),
    launchPrice: formatNumeric(row.launch_price),
    createdAt: row.created_at.toISOString(),
    name: row.name,
    symbol: row.symbol,
  }
}

/** Computes the first hash of a token's chain: 64 hexadecimal digits. */
export function computeLaunchHash(row: LaunchRow): string {
  return hash('sha256', launchText(toChainLaunch(row)))
}

export function toChainTrade(row: ChainTradeRow): ChainTrade {
  return {
    kind: row.side,
    tokenId: row.token_id,
    seq: row.seq,
    userId: row.user_id,
    solAmount: formatNumeric(row.sol_amount),
    fee: formatNumeric(row.fee),
    tokenAmount: formatNumeric(row.token_amount),
    price: formatNumeric(row.price),
    spotPrice: formatNumeric(row.spot_price),
    solReserve: formatNumeric(row.sol_reserve),
    tokenReserve: formatNumeric(row.token_reserve),
    createdAt: row.created_at.toISOString(),
  }
}

export function toChainRug(row: ChainRugRow): ChainRug {
  const { token_id: tokenId, seq, user_id: userId, amount, created_at: createdAt } = row
  return { kind: 'rug', tokenId, seq, userId, amount: formatNumeric(amount), createdAt: createdAt.toISOString() }
}

/** The columns of `seals` that are hashed. */
export interface ChainSealRow {
  readonly token_id: number
  readonly n: number
  readonly seq: number
  readonly user_id: number
  readonly until: Date
  readonly bag_until: Date | null
  readonly bag_tokens: string
  readonly created_at: Date
}

export function toChainSeal(row: ChainSealRow): ChainSeal {
  return {
    tokenId: row.token_id,
    number: row.n,
    seq: row.seq,
    userId: row.user_id,
    until: row.until.toISOString(),
    bagUntil: row.bag_until?.toISOString() ?? null,
    bagTokens: formatNumeric(row.bag_tokens),
    createdAt: row.created_at.toISOString(),
  }
}
