import { client, type Position, type TokenId, type Trade } from '../../lib/api.ts'
import { isOutcomeUnknown, reasonOf, retryAfterOf } from '../../lib/failure.ts'
import type { Side } from './side.ts'

/** An order as it is sent. The same `requestId` is the same intent: however often it is sent, it trades once. */
export interface Order {
  readonly side: Side
  readonly tokenId: TokenId
  /** SOL of a buy, tokens of a sale: exact decimal text. */
  readonly amount: string
  /** The least to receive, or null for any. */
  readonly least: string | null
  readonly requestId: string
}

/** What the server answers to an order that was done. */
export interface Answer {
  /** Tokens of a buy, SOL of a sale. */
  readonly received: string
  readonly trade: Trade
  readonly position: Position
}

const ANSWER_WITHIN_MS = 15_000
const RETRY_AFTER_S = 1

/** Refusals that come before an order is looked at. */
const NOT_DONE: ReadonlySet<string> = new Set(['BUSY', 'DATABASE_AWAY'])

/**
 * Sends an order. Where nobody knows whether it was done, or the market could not look at it, it is sent once more with
 * the same key. Throws what the last try threw.
 */
export async function placeOrder(order: Order, send: (order: Order) => Promise<Answer> = sendOrder): Promise<Answer> {
  try {
    return await send(order)
  } catch (error) {
    if (!mayRepeat(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, (retryAfterOf(error) ?? RETRY_AFTER_S) * 1_000))
    return await send(order)
  }
}

/** Whether the same order, with its key, may be sent again: it was not done, or nobody knows. */
export function mayRepeat(error: unknown): boolean {
  return isOutcomeUnknown(error) || NOT_DONE.has(reasonOf(error) ?? '')
}

async function sendOrder({ side, tokenId, amount, least, requestId }: Order): Promise<Answer> {
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
