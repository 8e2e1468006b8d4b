import { poolState, tokenId, trade } from '@papermoon/engine'
import { z } from 'zod'
import { dryRun, isDryRun, isReplayed, requestKey, solAmount, tokenAmount } from '../../validation/amounts.ts'

const decimal = z.string().meta({ format: 'decimal' })

export const buyInput = z.object({
  tokenId,
  solAmount,
  minTokensOut: tokenAmount.optional().describe('Refuse the trade if it would pay fewer tokens.'),
  requestId: requestKey.optional(),
  dryRun,
})

export const sellInput = z.object({
  tokenId,
  tokenAmount,
  minSolOut: solAmount.optional().describe('Refuse the trade if it would pay less SOL, after the fee.'),
  requestId: requestKey.optional(),
  dryRun,
})

/** A player's SOL, and their holding of a token with its cost. */
export const position = z
  .object({
    tokenId,
    balance: decimal.describe('The player’s SOL.'),
    amount: decimal.describe('Tokens held.'),
    cost: decimal.describe('What they cost in SOL, fees included (average cost).'),
  })
  .meta({ id: 'Position' })

/** What a page needs to sell a hidden token. */
const hiddenToken = z
  .object({
    name: z.string(),
    symbol: z.string(),
    emoji: z.string(),
    pool: poolState,
    ruggedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'HiddenToken' })

export const positionAnswer = position
  .extend({
    hiddenToken: hiddenToken
      .optional()
      .describe('Only where an operator has hidden the token: for everybody but its holders it does not exist.'),
  })
  .meta({ id: 'PositionWithToken' })
export type PositionAnswer = z.output<typeof positionAnswer>

const answer = {
  newPrice: decimal.describe('Spot price after the trade.'),
  trade,
  position: position.describe('The current position.'),
  isReplayed,
  dryRun: isDryRun,
}

export const buyResult = z.object({ tokensOut: decimal, ...answer })
export type BuyResult = z.output<typeof buyResult>

export const sellResult = z.object({ solOut: decimal.describe('After the fee.'), ...answer })
export type SellResult = z.output<typeof sellResult>

export const positionInput = z.object({ tokenId })

export const rugInput = z.object({ id: tokenId, requestId: requestKey.optional(), dryRun })

export const rugResult = z.object({
  ruggedAmount: decimal.describe('SOL drained from the pool.'),
  balance: decimal.describe('The player’s SOL now.'),
  isReplayed,
  dryRun: isDryRun,
})
export type RugResult = z.output<typeof rugResult>
