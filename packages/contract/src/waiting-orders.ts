import { z } from 'zod'
import { dryRun, isDryRun, isReplayed, orderPrice, requestKey, solAmount, tokenAmount } from './amounts.ts'
import { lastEventId } from './cursors.ts'
import { ORDER_ERRORS, TRADE_ERRORS } from './errors.ts'
import { LAUNCHED_AT } from './example-market.ts'
import { tokenId } from './ids.ts'
import { trade } from './market-events.ts'
import { mutation, query, subscription } from './procedure.ts'
import { decimal, NEXT_PAGE, time } from './shapes.ts'
import { byId } from './tokens.ts'

/** Max number of waiting orders per player, in total and per token. */
export const WAITING_MAX = { player: 50, token: 20 } as const

/** How long an order can wait, in ms. The screen shows a month as *Until cancelled*. */
export const LASTS_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 2_592_000_000 } as const

/** Max number of price ranges on each side of the order-book depth. */
export const DEPTH_BUCKETS_MAX = 20
export const DEPTH_PLAYERS_MIN = 3

const orderId = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
const kind = z.enum(['buy', 'sale', 'stop', 'bracket'])

/** A waiting order, or a waiting order that has ended. */
export const waitingOrder = z
  .object({
    id: z.int().describe('Id of the order. 0 in a dry run.'),
    tokenId,
    kind: kind.describe(
      'buy and sale are limit orders. stop sells when the price has fallen. bracket is a sale and a stop for the same tokens.',
    ),
    amount: decimal
      .nullable()
      .describe(
        'Amount of the order, in SOL for a buy, otherwise in tokens, or null 30 days after an order ended without a fill.',
      ),
    left: decimal.describe('Unfilled part of the amount.'),
    price: decimal
      .nullable()
      .describe('Limit price in SOL per token, including the fee. The order never trades at a worse price.'),
    stopPrice: decimal.nullable().describe('Spot price that triggers the stop.'),
    leastPrice: decimal.nullable().describe('Limit price of the stop’s sale, or null for no limit.'),
    below: decimal.nullable().describe('A spot price at or below this price triggers the order.'),
    above: decimal.nullable().describe('A spot price at or above this price triggers the order.'),
    isTriggered: z
      .boolean()
      .describe('Whether the stop was triggered. A triggered stop sells at leastPrice or better.'),
    fills: z.int().describe('Number of trades that filled the order. The keys of these trades are `order ID fill N`.'),
    state: z.enum(['waiting', 'filled', 'cancelled', 'expired']),
    cause: z.string().nullable().describe('Why the order ended: an error code, EXPIRED, PLAYER, CHANGED or HIDDEN.'),
    key: z.string().describe('Idempotency key.'),
    replaces: orderId.nullable().describe('Id of the order that this order replaced.'),
    placedAt: time,
    expiresAt: time,
    endedAt: time.nullable(),
  })
  .meta({ id: 'WaitingOrder' })
export type WaitingOrderView = z.output<typeof waitingOrder>

/**
 * A private event for a player's order that was placed, filled, triggered or ended. The event contains the order's
 * current state.
 */
export const orderEvent = z
  .object({
    type: z.literal('order'),
    tokenId,
    version: z.int().describe('Rises with each change.'),
    fill: z
      .object({
        seq: z.int(),
        price: decimal,
        solAmount: decimal,
        tokenAmount: decimal,
      })
      .nullable()
      .describe('Its last fill; null if another change.'),
    order: waitingOrder,
  })
  .meta({ id: 'OrderEvent' })
export type OrderEvent = z.output<typeof orderEvent>

/** Required fields for each kind of order. The field `leastPrice` of a stop order is optional. */
const FIELDS = {
  buy: ['solAmount', 'price'],
  sale: ['tokenAmount', 'price'],
  stop: ['tokenAmount', 'stopPrice'],
  bracket: ['tokenAmount', 'price', 'stopPrice'],
} as const
const CHOSEN = ['solAmount', 'tokenAmount', 'price', 'stopPrice'] as const

export const placeWaitingInput = z
  .object({
    tokenId,
    kind,
    solAmount: solAmount.optional().describe('For a buy, the maximum SOL to pay, including the fee.'),
    tokenAmount: tokenAmount.optional().describe('Number of tokens to sell, for kinds other than buy.'),
    price: orderPrice
      .optional()
      .describe(
        'Limit price including the fee. The order never trades at a worse price. Required unless `kind` is stop.',
      ),
    stopPrice: orderPrice
      .optional()
      .describe('For a stop or bracket, the spot price at or below which the order sells.'),
    leastPrice: z
      .union([z.literal('any'), orderPrice])
      .optional()
      .describe(
        'For a stop or bracket, the limit price of the sale, or any for no limit. The default limit is 10 % below stopPrice.',
      ),
    lasts: z
      .enum(['hour', 'day', 'week', 'month'])
      .default('month')
      .describe('How long the order stays open. A month is 30 days. In a fair, the order ends with the fair.'),
    replaces: orderId.optional().describe('Id of your waiting order for this token to replace.'),
    replacesFills: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Number of fills of the replaced order that you have seen. If the order has more fills, the request fails with 409.',
      ),
    requestId: requestKey.optional(),
    dryRun,
  })
  .superRefine((input, check) => {
    const report = (field: string, message: string) => check.addIssue({ code: 'custom', path: [field], message })
    const fields: readonly string[] = FIELDS[input.kind]
    for (const field of CHOSEN) {
      if (fields.includes(field) && input[field] === undefined) report(field, 'is required')
      if (!fields.includes(field) && input[field] !== undefined) report(field, `does not belong to a ${input.kind}`)
    }
    const { price, stopPrice, leastPrice } = input
    if (input.replacesFills !== undefined && input.replaces === undefined) report('replacesFills', 'needs replaces')
    if (leastPrice !== undefined && !fields.includes('stopPrice'))
      report('leastPrice', `does not belong to a ${input.kind}`)
    if (stopPrice === undefined) return
    if (price?.lte(stopPrice)) report('price', 'must be above the price of the stop')
    if (leastPrice !== undefined && leastPrice !== 'any' && leastPrice.gt(stopPrice)) {
      report('leastPrice', 'must be at most the price of the stop')
    }
  })
export type PlaceWaitingInput = z.output<typeof placeWaitingInput>

export const placeWaitingResult = z.object({
  order: waitingOrder,
  trades: z.array(trade).describe('Trades made immediately, if the price was already reached.'),
  isReplayed,
  dryRun: isDryRun,
})
export type PlaceWaitingResult = z.output<typeof placeWaitingResult>

export const cancelWaitingInput = z.object({
  tokenId: tokenId.optional().describe('Only orders for this token. Required in a fair.'),
  ids: z
    .array(orderId)
    .min(1, 'must name an order')
    .max(WAITING_MAX.player, `must be at most ${WAITING_MAX.player} ids`)
    .optional()
    .describe('Ids of the orders to cancel. If omitted, all open orders are cancelled.'),
})

export const waitingOrders = z.object({ orders: z.array(waitingOrder) })
export type WaitingOrders = z.output<typeof waitingOrders>

const PAGE_MAX = 200

export const listWaitingInput = z.object({
  tokenId: tokenId.optional().describe('Only orders for this token. Required in a fair.'),
  state: z.enum(['waiting', 'ended']).default('waiting'),
  limit: z.int().min(1).max(PAGE_MAX).default(50),
  cursor: orderId.optional().describe(NEXT_PAGE),
})
export type ListWaitingInput = z.output<typeof listWaitingInput>

export const watchWaitingInput = z.object({
  tokenId: tokenId.optional().describe('Only orders for this token. Required in a fair.'),
  lastEventId,
})

const buckets = z.array(
  z
    .object({
      from: decimal.describe('Lowest spot price of the bucket.'),
      to: decimal.describe('Highest spot price of the bucket.'),
      sol: decimal.describe('SOL.'),
    })
    .meta({ id: 'DepthBucket' }),
)
export type DepthBucket = z.output<typeof buckets>[number]

/** The order-book depth: the SOL of limit orders by price, without players' names. */
export const depth = z
  .object({
    isShown: z.boolean().describe('false if the room’s host hides the order book.'),
    buys: buckets.describe('SOL of buy orders, limited by each player’s balance, nearest price first.'),
    sales: buckets.describe(
      'SOL of sell orders at their prices, limited by each player’s holding, nearest price first.',
    ),
  })
  .meta({ id: 'Depth' })
export type Depth = z.output<typeof depth>

/** An example: a buy order at 10 % below the market price, after a buy of 1 SOL. */
export const EXAMPLE_WAITING: WaitingOrderView = {
  id: 31,
  tokenId: 7 as WaitingOrderView['tokenId'],
  kind: 'buy',
  amount: '2',
  left: '2',
  price: '0.000000027',
  stopPrice: null,
  leastPrice: null,
  below: '0.000000026919',
  above: null,
  isTriggered: false,
  fills: 0,
  state: 'waiting',
  cause: null,
  key: 'limit-1',
  replaces: null,
  placedAt: LAUNCHED_AT,
  expiresAt: '2026-03-31T12:00:00.000Z',
  endedAt: null,
}
const CANCELLED = { ...EXAMPLE_WAITING, state: 'cancelled', cause: 'PLAYER', endedAt: '2026-03-01T13:00:00.000Z' }

export const waitingOrdersProcedures = {
  place: mutation({
    inFairs: true,
    apiKey: 'trade',
    whenSuspended: 'repeats',
    limit: 'waiting',
    input: placeWaitingInput,
    output: placeWaitingResult,
    rest: 'POST /api/waiting-orders',
    operationId: 'placeWaitingOrder',
    status: 201,
    summary:
      'Places or replaces an order that fills when the market reaches its price. Waiting orders reserve no SOL or tokens.',
    errors: [
      ...ORDER_ERRORS,
      ...TRADE_ERRORS,
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_TOKENS',
      'TOKEN_NOT_FOUND',
      'TOKEN_CLOSED',
      'TOO_MANY_WAITING',
      'STOP_REACHED',
      'TOO_SMALL_TO_WAIT',
      'NOT_WAITING',
      'FILLED_SINCE',
    ],
    example: {
      input: { tokenId: 7, kind: 'buy', solAmount: '2', price: '0.000000027', requestId: 'limit-1' },
      response: { order: EXAMPLE_WAITING, trades: [] },
    },
  }),
  cancel: mutation({
    inFairs: true,
    apiKey: 'trade',
    whenSuspended: 'allowed',
    input: cancelWaitingInput,
    output: waitingOrders,
    rest: 'POST /api/waiting-orders/cancel',
    operationId: 'cancelWaitingOrders',
    summary: 'Cancels some or all of your waiting orders. Orders that have already ended are returned unchanged.',
    errors: [
      'NOT_WAITING',
      'TOKEN_NOT_FOUND',
      'TOO_MANY_ORDERS',
      'BUSY',
      'OUTCOME_UNKNOWN',
      'NOT_IN_FAIR',
      'FAIR_ENDED',
    ],
    example: { input: { ids: [31] }, response: { orders: [CANCELLED] } },
  }),
  list: query({
    inFairs: true,
    apiKey: 'market',
    input: listWaitingInput,
    output: waitingOrders.extend({ nextCursor: orderId.nullable() }),
    rest: 'GET /api/waiting-orders',
    operationId: 'listWaitingOrders',
    list: 'orders',
    summary: 'Lists your waiting or ended orders, newest first.',
    errors: ['TOKEN_NOT_FOUND', 'NOT_IN_FAIR'],
    example: { input: { tokenId: 7 }, response: [] },
  }),
  depth: query({
    access: 'anyone',
    inFairs: true,
    input: byId,
    cached: true,
    output: depth,
    rest: 'GET /api/tokens/{id}/depth',
    operationId: 'getDepth',
    summary:
      'Returns the order-book depth: SOL of limit orders by price, cached for five seconds. Each price bucket combines orders of at least three players.',
    errors: ['TOKEN_NOT_FOUND'],
    example: {
      input: { id: 7 },
      response: { isShown: true, buys: [{ from: '0.000000027', to: '0.000000028', sol: '6.5' }], sales: [] },
    },
  }),
  /** Sends the player's orders when they change, and resumes after the last `id` that the client received. */
  watch: subscription({
    inFairs: true,
    apiKey: 'market',
    input: watchWaitingInput,
    output: orderEvent,
  }),
}
