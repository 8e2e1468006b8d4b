import { computeMarketCap, Decimal, priceText } from '@papermoon/amm'
import { LOSERS_MAX, type RugReport } from '@papermoon/contract/tokens'
import type { Db } from '@papermoon/db'
import { formatNumeric } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { IS_BOT, tokenExists, visibleTokens } from '../../database/conditions.ts'
import { defineError } from '../../errors.ts'

/** Nobody has rugged the token yet. */
export class NotRuggedError extends defineError('NOT_FOUND', 'This token was not rugged.') {}

/**
 * Reports the end of a token: who pulled the rug, how much they took, and who lost most. The report of a rugged token
 * never changes. Throws `TokenNotFoundError`, or `NotRuggedError` for an open token.
 */
export async function getRugReport({ platform: { db } }: App, id: TokenId): Promise<RugReport> {
  const rug = await findRug(db, id)
  if (rug === undefined) throw (await tokenExists(db, id)) ? new NotRuggedError() : new TokenNotFoundError()
  const creatorId = rug.user_id as UserId
  const [left, losers] = await Promise.all([
    sumLeftBehind(db, id, creatorId),
    findLosers(db, id, { creatorId, limit: LOSERS_MAX }),
  ])
  return {
    tokenId: id,
    creator: { id: creatorId, username: rug.username, isBot: rug.is_bot },
    launchedAt: rug.launched_at.toISOString(),
    ruggedAt: rug.rugged_at.toISOString(),
    ruggedAmount: formatNumeric(rug.amount),
    // Subtract one, because the rug pull has the last sequence number but is not a trade.
    totalTrades: rug.seq - 1,
    peakMarketCap: priceText(computeMarketCap(new Decimal(rug.peak_price))),
    holders: left.count,
    lost: formatNumeric(left.cost),
    losers: losers.map(({ amount, cost, ...player }, index) => {
      return { rank: index + 1, ...player, amount: formatNumeric(amount), cost: formatNumeric(cost) }
    }),
  }
}

/** A rug pull, with the history of its token. */
interface RugRow {
  readonly user_id: number
  readonly username: string
  readonly is_bot: boolean
  readonly amount: string
  readonly seq: number
  readonly launched_at: Date
  readonly rugged_at: Date
  /** The highest spot price of the token in SOL. */
  readonly peak_price: string
}

/** Finds the rug pull of a visible token; returns undefined if there is none. */
async function findRug(db: Db, id: TokenId): Promise<RugRow | undefined> {
  // The day's candle always exists, because a rug pull creates one if there is none. This candle opens at the price
  // before the rug pull.
  const { rows } = await sql<RugRow>`
    select r.user_id, u.username, ${IS_BOT} as is_bot, r.amount, r.seq, t.created_at as launched_at, r.created_at as rugged_at,
           (select max(high) from candles where token_id = t.id and width = 86400) as peak_price
      from rugs r join ${visibleTokens} t on t.id = r.token_id join users u on u.id = r.user_id
     where r.token_id = ${id}`.execute(db)
  return rows[0]
}

/** Sums over the players who still hold a closed token, except its creator. */
interface LeftBehind {
  readonly count: number
  /** Cost of the holdings in SOL, including fees. */
  readonly cost: string
}

/** Counts the players other than the creator who still hold the token, and adds up what the holdings cost. */
async function sumLeftBehind(db: Db, id: TokenId, creatorId: UserId): Promise<LeftBehind> {
  const { rows } = await sql<LeftBehind>`
    select count(*)::int as count, coalesce(sum(cost), 0) as cost
      from holdings where token_id = ${id} and user_id <> ${creatorId} and amount > 0`.execute(db)
  return rows[0] ?? { count: 0, cost: '0' }
}

type LoserRow = Omit<RugReport['losers'][number], 'rank'>

/**
 * Finds the holders whose holdings cost most, except the creator. If costs are equal, the older account comes first.
 */
async function findLosers(
  db: Db,
  id: TokenId,
  { creatorId, limit }: { creatorId: UserId; limit: number },
): Promise<LoserRow[]> {
  const { rows } = await sql<LoserRow>`
    select h.user_id as "userId", u.username, ${IS_BOT} as "isBot", h.amount, h.cost
      from holdings h join users u on u.id = h.user_id
     where h.token_id = ${id} and h.user_id <> ${creatorId} and h.amount > 0
     order by h.cost desc, h.user_id limit ${limit}`.execute(db)
  return rows
}
