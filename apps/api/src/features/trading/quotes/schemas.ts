import { tokenId } from '@papermoon/engine'
import { z } from 'zod'
import { solAmount, tokenAmount } from '../../../validation/amounts.ts'
import { initialBuyAmount } from '../../../validation/initial-buy-amount.ts'

const decimal = z.string().meta({ format: 'decimal' })

/** The fields of each kind of quote: those it needs and those it may have. */
const fieldsBySide = {
  buy: { needed: ['tokenId', 'solAmount'], optional: [] },
  sell: { needed: ['tokenId', 'tokenAmount'], optional: [] },
  launch: { needed: [], optional: ['initialBuyAmount'] },
} as const
const AMOUNTS = ['tokenId', 'solAmount', 'tokenAmount', 'initialBuyAmount'] as const

export const quoteInput = z
  .object({
    side: z.enum(['buy', 'sell', 'launch']),
    tokenId: tokenId.optional().describe('Of a buy or sale.'),
    solAmount: solAmount.optional().describe('Of a buy: SOL to pay, fee included.'),
    tokenAmount: tokenAmount.optional().describe('Of a sale.'),
    initialBuyAmount: initialBuyAmount.describe('Of a launch: SOL for its first buy.'),
  })
  .superRefine((input, check) => {
    const { needed, optional } = fieldsBySide[input.side]
    const fields: readonly string[] = [...needed, ...optional]
    const report = (field: string, message: string) => check.addIssue({ code: 'custom', path: [field], message })
    for (const field of needed) if (input[field] === undefined) report(field, 'is required')
    for (const field of AMOUNTS) {
      if (input[field] !== undefined && !fields.includes(field)) report(field, `does not belong to a ${input.side}`)
    }
  })
export type QuoteInput = z.output<typeof quoteInput>

export const quote = z
  .object({
    side: z.enum(['buy', 'sell', 'launch']),
    tokenId: tokenId.nullable().describe('Null for a launch.'),
    seq: z
      .int()
      .describe(
        'Sequence number of the state that the quote is of. If the order’s trade has the next one, nobody traded in between.',
      ),
    solAmount: decimal.describe('Buy: SOL to pay, fee included. Sell: SOL to receive, after the fee.'),
    tokenAmount: decimal.describe('Buy: tokens to receive. Sell: tokens to pay.'),
    fee: decimal.describe('SOL of the trade that goes to the treasury.'),
    launchFee: decimal.nullable().describe('SOL that a launch costs beside its first buy; null for a buy or sale.'),
    price: decimal.nullable().describe('Average price of the trade in SOL; null for a launch without a first buy.'),
    currentPrice: decimal.describe('Spot price before the trade in SOL.'),
    newPrice: decimal.describe('Spot price after the trade in SOL.'),
    priceImpact: decimal.describe('New price against the current one, in percent with 2 decimals.'),
    newMarketCap: decimal.describe('SOL: new price × supply.'),
  })
  .meta({ id: 'Quote' })
export type Quote = z.output<typeof quote>
