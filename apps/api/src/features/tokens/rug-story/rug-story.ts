import { computeMarketCap, Decimal, priceText } from '@papermoon/amm'
import { formatNumeric } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import type { App } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { LOSERS_MAX, type RugReport } from '../schemas.ts'
import { tokenExists } from '../store.ts'
import { findLosers, findRug, type LoserRow, sumLeftBehind } from './rug-story-store.ts'

/** The token is there, and still open. */
export class NotRuggedError extends ApiError {
  readonly code = 'NOT_FOUND'
  constructor() {
    super('This token was not rugged.')
  }
}

/**
 * How a token ended: who pulled the rug, what they took, and whom it cost most. Nothing of it ever changes. Throws
 * `TokenNotFoundError`, or `NotRuggedError` for a token that is open.
 */
export async function getRugReport({ db }: App, id: TokenId): Promise<RugReport> {
  const rug = await findRug(db, id)
  if (rug === undefined) throw (await tokenExists(db, id)) ? new NotRuggedError() : new TokenNotFoundError()
  const creatorId = rug.user_id as UserId
  const [left, losers] = await Promise.all([
    sumLeftBehind(db, id, creatorId),
    findLosers(db, id, { creatorId, limit: LOSERS_MAX }),
  ])
  return {
    tokenId: id,
    creator: { id: creatorId, username: rug.username },
    launchedAt: rug.launched_at.toISOString(),
    ruggedAt: rug.rugged_at.toISOString(),
    ruggedAmount: formatNumeric(rug.amount),
    // The rug pull took the last number and is no trade.
    totalTrades: rug.seq - 1,
    peakMarketCap: priceText(computeMarketCap(new Decimal(rug.peak_price))),
    holders: left.count,
    lost: formatNumeric(left.cost),
    losers: losers.map(toLoser),
  }
}

function toLoser({ user_id, username, amount, cost }: LoserRow, index: number): RugReport['losers'][number] {
  return {
    rank: index + 1,
    userId: user_id as UserId,
    username,
    amount: formatNumeric(amount),
    cost: formatNumeric(cost),
  }
}
