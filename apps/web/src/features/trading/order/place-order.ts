import { client, type Position, type TokenId, type Trade } from '../../../lib/api/api.ts'
import { getReason, getRetryAfter, isOutcomeUnknown } from '../../../lib/api/failure.ts'
import type { Side } from './preview-trade.ts'

/** An order with `requestId` as its idempotency key. An order sent twice is executed once. */
export interface Order {
  readonly side: Side
  readonly tokenId: TokenId
  /** Amount to pay: SOL for a purchase or tokens for a sale, as exact decimal text. */
  readonly amount: string
  /** Min amount to receive, or null for any amount. */
  readonly least: string | null
  readonly requestId: string
}

export interface Answer {
  /** The received tokens of a purchase, or the received SOL of a sale. */
  readonly received: string
  readonly trade: Trade
  readonly position: Position
  /** A sale's gain or loss; null for a purchase, or if the cost of the sold tokens is unknown. */
  readonly gain?: SaleGain | null
}

/** The received SOL of a sale minus the average cost of the sold tokens, as exact text. */
export interface SaleGain {
  readonly sol: string
  readonly percent: string
}

export const ANSWER_WITHIN_MS = 15_000

export async function sendOrder({ side, tokenId, amount, least, requestId }: Order): Promise<Answer> {
  const options = { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }
  if (side === 'buy') {
    const minTokensOut = least ?? undefined
    const answer = await client.trading.buy.mutate({ tokenId, solAmount: amount, minTokensOut, requestId }, options)
    return { received: answer.tokensOut, trade: answer.trade, position: answer.position }
  }
  const minSolOut = least ?? undefined
  const answer = await client.trading.sell.mutate({ tokenId, tokenAmount: amount, minSolOut, requestId }, options)
  return { received: answer.solOut, trade: answer.trade, position: answer.position }
}

const RETRY_AFTER_S = 1

/** Error codes of orders that the server rejected before processing them. */
const NOT_DONE: ReadonlySet<string> = new Set(['BUSY', 'DATABASE_AWAY'])

/**
 * Sends an order with its key, and once more if its outcome is unknown or it was not processed. Throws the last error.
 */
export async function repeatOnce<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    if (!mayRepeat(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, (getRetryAfter(error) ?? RETRY_AFTER_S) * 1_000))
    return await send()
  }
}

/** Returns whether an order may be sent again with its key, because it was not executed or its outcome is unknown. */
export function mayRepeat(error: unknown): boolean {
  return isOutcomeUnknown(error) || NOT_DONE.has(getReason(error) ?? '')
}
