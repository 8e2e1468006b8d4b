import { Decimal } from '@papermoon/amm'
import { z } from 'zod'
import { DONE, TRADED_AT } from './example-market.ts'
import { positiveId, tokenId } from './ids.ts'
import { mutation, query } from './procedure.ts'
import { decimal, ok, tokenShown } from './shapes.ts'

const measure = z
  .enum(['price', 'marketCap', 'percent'], 'must be price, marketCap or percent')
  .describe(
    'Unit of `value`: price (SOL per token), marketCap (SOL), or percent (change from the current price, such as -20).',
  )

const direction = z.enum(['above', 'below'], 'must be above or below')

export const createAlertInput = z.object({
  tokenId,
  measure,
  value: z
    .string('must be a decimal number in text')
    .regex(/^[+-]?\d{1,20}(\.\d{1,30})?$/, 'must be a plain decimal number')
    .transform((text) => new Decimal(text))
    .describe('A decimal number as text. Only a percentage can be negative.'),
  direction: direction
    .optional()
    .describe(
      'Whether the alert fires on a rise or a fall. The default is the direction from the current price to the value.',
    ),
})
export type CreateAlertInput = z.output<typeof createAlertInput>

export const alertId = positiveId

export const alert = z
  .object({
    id: alertId,
    token: z.object(tokenShown).meta({ id: 'PriceAlertToken' }),
    measure,
    value: decimal,
    direction,
    price: decimal.describe('The price that fires the alert, in SOL.'),
    createdAt: z.iso.datetime(),
    doneAt: z.iso.datetime().nullable().describe('When the alert ended, or null while the alert is active.'),
    isReached: z.boolean().describe('Whether the alert fired. If an ended alert did not fire, a rug pull ended it.'),
  })
  .meta({ id: 'PriceAlert' })
export type Alert = z.output<typeof alert>

export const ALERT = {
  id: 5,
  token: { id: 7, name: 'Paper Moon', symbol: 'MOON', emoji: '🌙' },
  measure: 'percent',
  value: '50',
  direction: 'above',
  price: '0.000000048040700449',
  createdAt: TRADED_AT,
  doneAt: null,
  isReached: false,
}

export const alertsProcedures = {
  list: query({
    output: z.array(alert),
    rest: 'GET /api/alerts',
    operationId: 'listAlerts',
    summary: 'Lists your price alerts, newest first. Each alert fires once.',
    example: { response: [ALERT] },
  }),
  create: mutation({
    input: createAlertInput,
    output: alert,
    rest: 'POST /api/alerts',
    operationId: 'createAlert',
    status: 201,
    summary:
      'Creates a price alert. A player can have at most 50 active alerts. Fails with 409 if the price has already reached the value.',
    errors: ['TOKEN_NOT_FOUND', 'TOKEN_CLOSED', 'ALERT_REACHED', 'TOO_MANY_ALERTS'],
    example: { input: { tokenId: 7, measure: 'percent', value: '50' }, response: ALERT },
  }),
  remove: mutation({
    whenSuspended: 'allowed',
    input: z.object({ id: alertId }),
    output: ok,
    rest: 'DELETE /api/alerts/{id}',
    operationId: 'removeAlert',
    summary: 'Deletes a price alert.',
    errors: ['NOT_FOUND'],
    example: { input: { id: 5 }, response: DONE },
  }),
}
