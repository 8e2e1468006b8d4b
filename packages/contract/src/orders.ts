import { z } from 'zod'
import { BUY_TRADE, LAUNCHED_AT, POSITION, TRADED_AT } from './example-market.ts'
import { tokenId } from './ids.ts'
import { trade } from './market-events.ts'
import { query } from './procedure.ts'
import { decimal, pageCursor } from './shapes.ts'
import { timeRange } from './times.ts'
import { countPageReads } from './tokens.ts'
import { buyResult, rugResult, sealResult, sellResult } from './trading.ts'
import { waitingOrder } from './waiting-orders.ts'

/**
 * Seconds after which an order that was sent whole and is not found by its key is never placed. It covers, at their longest:
 * looking the key up, and beginning it. What has begun holds the player's account, and the look-up waits for it.
 */
export const ORDER_FINAL_S = 120

const ORDERS_MAX = 500

export const listOrdersInput = z.object({
  tokenId: tokenId.optional().describe('Only orders of this token.'),
  limit: z.int().min(1).max(ORDERS_MAX).default(50),
  cursor: pageCursor(60),
  ...timeRange,
})
export type ListOrdersInput = z.output<typeof listOrdersInput>

const kind = z.enum(['buy', 'sell', 'launch', 'rug', 'seal'])

export const order = z
  .object({
    key: z.string().nullable().describe('Its idempotency key; the server made one where the order came without.'),
    kind,
    tokenId,
    createdAt: z.iso.datetime(),
    trade: trade
      .nullable()
      .describe('What was traded. Of a launch its first buy, if any; null for a rug pull or a seal.'),
    ruggedAmount: decimal.nullable().describe('SOL that a rug pull drained; null for other orders.'),
  })
  .meta({ id: 'Order' })
export type Order = z.output<typeof order>

export const orderPage = z.object({ orders: z.array(order), nextCursor: z.string().nullable() })
export type OrderPage = z.output<typeof orderPage>

/** The key of a player's, or of a fill, which has spaces so that no player's is like it. */
export const orderInput = z.object({
  key: z
    .string()
    .regex(/^([\x21-\x7e]{1,64}|order \d{1,16} fill \d{1,9})$/, 'must be the key of an order')
    .describe('Its idempotency key; of a fill `order ID fill N`.'),
})

/** A stored order is neither. */
const marks = { isReplayed: true, dryRun: true } as const
const answer = z.union([
  buyResult.omit(marks),
  sellResult.omit(marks),
  z.object({ id: tokenId }).describe('Of a launch; a repeat adds the token as it is now.'),
  rugResult.omit(marks),
  sealResult.omit(marks),
])

/** Status of an order; all but its key and kind is null until it is filled. */
export const orderOutcome = z
  .object({
    status: z
      .enum(['filled', 'pending', 'waiting', 'cancelled', 'expired'])
      .describe(
        'pending: it is under way; ask again, or repeat it with its key. Others: of an order that waits, or did.',
      ),
    key: z.string(),
    kind: z.enum([...kind.options, 'waiting']),
    tokenId: tokenId.nullable(),
    createdAt: order.shape.createdAt.nullable(),
    trade: order.shape.trade,
    ruggedAmount: order.shape.ruggedAmount,
    answer: answer
      .nullable()
      .describe('What repeating the order would answer: the first trade, with the position or balance of now.'),
    waitingOrder: waitingOrder.optional().describe('Only of kind waiting.'),
  })
  .meta({ id: 'OrderOutcome' })
export type OrderOutcome = z.output<typeof orderOutcome>
export type OrderAnswer = z.output<typeof answer>

const PLACED_ORDER = {
  key: 'order-1',
  kind: 'buy',
  tokenId: 7,
  createdAt: TRADED_AT,
  trade: BUY_TRADE,
  ruggedAmount: null,
}

export const ordersProcedures = {
  list: query({
    apiKey: 'market',
    reads: countPageReads,
    input: listOrdersInput,
    output: orderPage,
    rest: 'GET /api/orders',
    operationId: 'listOrders',
    list: 'orders',
    summary: 'One’s own orders in the fairground with what they traded, newest first.',
    example: { input: { tokenId: 7, limit: 50, from: LAUNCHED_AT }, answer: [PLACED_ORDER] },
  }),
  get: query({
    apiKey: 'market',
    input: orderInput,
    output: orderOutcome,
    rest: 'GET /api/orders/{key}',
    operationId: 'getOrder',
    summary: `What became of one’s order with this idempotency key: filled, with its answer, or pending. 404 where none was placed: a refused order leaves its key free. Final ${ORDER_FINAL_S} seconds after the order was sent.`,
    errors: ['NOT_FOUND', 'BUSY'],
    example: {
      input: { key: 'order-1' },
      answer: {
        status: 'filled',
        ...PLACED_ORDER,
        answer: {
          tokensOut: BUY_TRADE.tokenAmount,
          newPrice: BUY_TRADE.spotPrice,
          trade: BUY_TRADE,
          position: POSITION,
        },
      },
    },
  }),
}
