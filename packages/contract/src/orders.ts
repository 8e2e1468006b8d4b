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
 * Time in seconds after which an order that a look-up does not find will never be placed. An order must begin and lock
 * the player's account within this time, and a look-up waits for this lock.
 */
export const ORDER_FINAL_S = 120

const ORDERS_MAX = 500

export const listOrdersInput = z.object({
  tokenId: tokenId.optional().describe('Return only orders for this token.'),
  limit: z.int().min(1).max(ORDERS_MAX).default(50),
  cursor: pageCursor(60),
  ...timeRange,
})
export type ListOrdersInput = z.output<typeof listOrdersInput>

const kind = z.enum(['buy', 'sell', 'launch', 'rug', 'seal'])

export const order = z
  .object({
    key: z.string().nullable().describe('Idempotency key. If the request has none, the server generates it.'),
    kind,
    tokenId,
    createdAt: z.iso.datetime(),
    trade: trade.nullable().describe('The trade or the first buy of a launch. Null for a rug pull or seal.'),
    ruggedAmount: decimal.nullable().describe('SOL that a rug pull paid, or null for other orders.'),
  })
  .meta({ id: 'Order' })
export type Order = z.output<typeof order>

export const orderPage = z.object({ orders: z.array(order), nextCursor: z.string().nullable() })
export type OrderPage = z.output<typeof orderPage>

/** The key of an order or of a fill. A fill's key contains spaces, so it never equals a player's key. */
export const orderInput = z.object({
  key: z
    .string()
    .regex(/^([\x21-\x7e]{1,64}|order \d{1,16} fill \d{1,9})$/, 'must be the key of an order')
    .describe('Idempotency key. The key of a waiting order’s fill is `order ID fill N`.'),
})

/** Flags that are not part of a stored order. */
const ORDER_FLAGS = { isReplayed: true, dryRun: true } as const
const orderResponse = z.union([
  buyResult.omit(ORDER_FLAGS),
  sellResult.omit(ORDER_FLAGS),
  z
    .object({ id: tokenId })
    .describe('The result of a launch. A repeated order also returns the token’s current state.'),
  rugResult.omit(ORDER_FLAGS),
  sealResult.omit(ORDER_FLAGS),
])

/** An order's outcome. Until the order is filled, all fields except key and kind are null. */
export const orderOutcome = z
  .object({
    status: z
      .enum(['filled', 'pending', 'waiting', 'cancelled', 'expired'])
      .describe(
        'pending means that the order is still running. Read the outcome again, or repeat the order with its key. Other values are states of a waiting order.',
      ),
    key: z.string(),
    kind: z.enum([...kind.options, 'waiting']),
    tokenId: tokenId.nullable(),
    createdAt: order.shape.createdAt.nullable(),
    trade: order.shape.trade,
    ruggedAmount: order.shape.ruggedAmount,
    answer: orderResponse
      .nullable()
      .describe('The response to the order, with the first trade and the current position or balance.'),
    waitingOrder: waitingOrder.optional().describe('The waiting order, if `kind` is waiting.'),
  })
  .meta({ id: 'OrderOutcome' })
export type OrderOutcome = z.output<typeof orderOutcome>
export type OrderAnswer = z.output<typeof orderResponse>

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
    summary: 'Lists your orders outside fairs with their trades, newest first.',
    example: { input: { tokenId: 7, limit: 50, from: LAUNCHED_AT }, response: [PLACED_ORDER] },
  }),
  get: query({
    apiKey: 'market',
    input: orderInput,
    output: orderOutcome,
    rest: 'GET /api/orders/{key}',
    operationId: 'getOrder',
    summary: `Returns the outcome of your order with this idempotency key: filled with its response, or pending. Fails with 404 if no order with this key was placed. You can reuse the key of a rejected order. After ${ORDER_FINAL_S} seconds, the outcome cannot change.`,
    errors: ['NOT_FOUND', 'BUSY'],
    example: {
      input: { key: 'order-1' },
      response: {
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
