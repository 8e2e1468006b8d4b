import { Decimal } from '@papermoon/amm'
import { ID_MAX, tokenId } from '@papermoon/engine'
import { z } from 'zod'

const measure = z
  .enum(['price', 'marketCap', 'percent'], 'must be price, marketCap or percent')
  .describe('price: SOL a token. marketCap: SOL. percent: from the price now, such as -20.')

const direction = z.enum(['above', 'below'], 'must be above or below')

export const createAlertInput = z.object({
  tokenId,
  measure,
  value: z
    .string('must be a decimal number in text')
    .regex(/^[+-]?\d{1,20}(\.\d{1,30})?$/, 'must be a plain decimal number')
    .transform((text) => new Decimal(text))
    .describe('A plain decimal number in text; below 0 only as a percentage.'),
  direction: direction
    .optional()
    .describe('Whether to tell of a rise or a fall; by default, what leads to the price from where it is.'),
})
export type CreateAlertInput = z.output<typeof createAlertInput>

export const alertId = z.int('must be a whole number').min(1, 'must be above 0').max(ID_MAX, 'is too large')

export const removeAlertInput = z.object({ id: alertId })

export const alert = z
  .object({
    id: alertId,
    token: z.object({ id: tokenId, name: z.string(), symbol: z.string(), emoji: z.string() }),
    measure,
    value: z.string(),
    direction,
    price: z.string().describe('SOL: the price that fires it.'),
    createdAt: z.iso.datetime(),
    doneAt: z.iso.datetime().nullable().describe('When it ended; null while it waits.'),
    isReached: z.boolean().describe('Whether it fired; an alert that ended without was made pointless by a rug pull.'),
  })
  .meta({ id: 'PriceAlert' })
export type Alert = z.output<typeof alert>

export const removed = z.object({ ok: z.literal(true) })
