import { z } from 'zod'
import { tokenId } from './ids.ts'

const decimal = z.string().meta({ format: 'decimal' })
const time = z.iso.datetime()

export const WAITING_KINDS = ['buy', 'sale', 'stop', 'bracket'] as const

/** An order that waits for a price, or did. */
export const waitingOrder = z
  .object({
    id: z.int(),
    tokenId,
    kind: z.enum(WAITING_KINDS).describe('buy and sale: limits. stop: sells once the price has fallen. bracket: both.'),
    amount: decimal
      .nullable()
      .describe('SOL of a buy, tokens of the others; null 30 days after an end without a fill.'),
    left: decimal.describe('What is left of the amount.'),
    price: decimal.nullable().describe('Worst average price in SOL a token, fee included; of a bracket its target.'),
    stopPrice: decimal.nullable().describe('The spot price that triggers the stop.'),
    leastPrice: decimal.nullable().describe('Worst average price of the stop’s sale; null: any.'),
    isTriggered: z.boolean().describe('The stop’s price was reached: it is a limit sale at its least price now.'),
    fills: z.int().describe('Trades that it made; their keys are `order ID fill N`.'),
    state: z.enum(['waiting', 'filled', 'cancelled', 'expired']),
    cause: z.string().nullable().describe('What cancelled it: the code of an error, or PLAYER, CHANGED, HIDDEN.'),
    key: z.string().describe('Its idempotency key.'),
    replaces: z.int().nullable().describe('The order that it was changed from.'),
    placedAt: time,
    expiresAt: time,
    endedAt: time.nullable(),
  })
  .meta({ id: 'WaitingOrder' })
export type WaitingOrderView = z.output<typeof waitingOrder>
