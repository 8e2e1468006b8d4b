import { z } from 'zod'
import { dryRun, initialBuyAmount, isDryRun, isReplayed, requestKey, solAmount, tokenAmount } from './amounts.ts'
import { ORDER_ERRORS, TRADE_ERRORS } from './errors.ts'
import {
  BOUGHT,
  BUY_TRADE,
  CASH_OUT,
  LAUNCH_PRICE,
  POSITION,
  RUG_EVENT,
  SEAL,
  SELL_TRADE,
  TOKEN,
} from './example-market.ts'
import { tokenId } from './ids.ts'
import { poolState, seal, sealTerm, trade } from './market-events.ts'
import { mutation, query } from './procedure.ts'
import { decimal, tokenNames } from './shapes.ts'

export const buyInput = z.object({
  tokenId,
  solAmount,
  minTokensOut: tokenAmount.optional().describe('The trade fails if it would pay fewer tokens than this.'),
  requestId: requestKey.optional(),
  dryRun,
})

export const sellInput = z.object({
  tokenId,
  tokenAmount,
  minSolOut: solAmount.optional().describe('The trade fails if it would pay less SOL than this after the fee.'),
  requestId: requestKey.optional(),
  dryRun,
})

/** A player's SOL balance, with the amount and cost of their holding of a token. */
export const position = z
  .object({
    tokenId,
    balance: decimal.describe('SOL balance.'),
    amount: decimal.describe('Number of tokens held.'),
    cost: decimal.describe('Average cost of the tokens in SOL, including fees.'),
  })
  .meta({ id: 'Position' })

/** Data with which a page can sell a hidden token. */
const hiddenToken = z
  .object({
    ...tokenNames,
    pool: poolState,
    ruggedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'HiddenToken' })

export const positionAnswer = position
  .extend({
    hiddenToken: hiddenToken.optional().describe('This property is set only if an operator hid the token.'),
  })
  .meta({ id: 'PositionWithToken' })
export type PositionAnswer = z.output<typeof positionAnswer>

const tradeResponse = {
  newPrice: decimal.describe('Spot price after the trade, in SOL per token.'),
  trade,
  position: position.describe('Your current balance and holding.'),
  isReplayed,
  dryRun: isDryRun,
}

export const buyResult = z.object({ tokensOut: decimal, ...tradeResponse })
export type BuyResult = z.output<typeof buyResult>

export const sellResult = z.object({ solOut: decimal.describe('SOL received, after the fee.'), ...tradeResponse })
export type SellResult = z.output<typeof sellResult>

export const rugInput = z.object({ id: tokenId, requestId: requestKey.optional(), dryRun })

export const rugResult = z.object({
  ruggedAmount: decimal.describe('SOL that the rug pull paid.'),
  balance: decimal.describe('Your SOL balance now.'),
  isReplayed,
  dryRun: isDryRun,
})
export type RugResult = z.output<typeof rugResult>

export const sealInput = z.object({
  id: tokenId,
  term: sealTerm.describe(
    'How long the seal lasts from now on. You can extend a seal by at least a tenth of this term, but never shorten it.',
  ),
  bag: z
    .boolean()
    .default(false)
    .describe('Whether to lock all tokens that you hold now. You can still sell tokens that you buy later.'),
  requestId: requestKey.optional(),
  dryRun,
})

export const sealResult = z.object({
  tokenId,
  seal: seal.describe('The current seal.'),
  isReplayed,
  dryRun: isDryRun,
})
export type SealResult = z.output<typeof sealResult>

/** Required and optional fields for each kind of quote. */
const fieldsBySide = {
  buy: { needed: ['tokenId', 'solAmount'], optional: [] },
  sell: { needed: ['tokenId', 'tokenAmount'], optional: [] },
  launch: { needed: [], optional: ['initialBuyAmount'] },
} as const
const AMOUNTS = ['tokenId', 'solAmount', 'tokenAmount', 'initialBuyAmount'] as const

export const quoteInput = z
  .object({
    side: z.enum(['buy', 'sell', 'launch']),
    tokenId: tokenId.optional().describe('Required for a buy or sale.'),
    solAmount: solAmount.optional().describe('For a buy, the SOL to pay, including the fee.'),
    tokenAmount: tokenAmount.optional().describe('For a sale, the number of tokens to sell.'),
    initialBuyAmount: initialBuyAmount.describe('For a launch, the SOL of the first buy.'),
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
    tokenId: tokenId.nullable().describe('Id of the token, or null for a launch.'),
    seq: z
      .int()
      .describe(
        'Sequence number of the event that the quote is based on. If your trade has the next number, no other trade came in between.',
      ),
    solAmount: decimal.describe(
      'For a buy, the SOL to pay, including the fee. For a sale, the SOL to receive, after the fee.',
    ),
    tokenAmount: decimal.describe('For a buy, the tokens to receive. For a sale, the tokens to sell.'),
    fee: decimal.describe('Trading fee in SOL.'),
    launchFee: decimal.nullable().describe('Launch fee in SOL, without the first buy. Null for a buy or sale.'),
    price: decimal
      .nullable()
      .describe('Average price of the trade in SOL per token. Null for a launch without a first buy.'),
    currentPrice: decimal.describe('Spot price before the trade, in SOL per token.'),
    newPrice: decimal.describe('Spot price after the trade, in SOL per token.'),
    priceImpact: decimal.describe('Change from currentPrice to newPrice in percent, with 2 decimals.'),
    newMarketCap: decimal.describe('The market cap after the trade in SOL (newPrice × supply).'),
  })
  .meta({ id: 'Quote' })
export type Quote = z.output<typeof quote>

export const tradingProcedures = {
  buy: mutation({
    inFairs: true,
    apiKey: 'trade',
    whenSuspended: 'repeats',
    input: buyInput,
    output: buyResult,
    rest: 'POST /api/tokens/buy',
    operationId: 'buyToken',
    summary:
      'Buys tokens for SOL and responds when the trade is stored. Fails if you would get fewer tokens than minTokensOut. If you get no response, repeat the order with the same Idempotency-Key.',
    errors: [
      ...ORDER_ERRORS,
      ...TRADE_ERRORS,
      'SPENDING_LIMIT_REACHED',
      'INSUFFICIENT_BALANCE',
      'SLIPPAGE_EXCEEDED',
      'TOKEN_NOT_FOUND',
      'TOKEN_CLOSED',
    ],
    example: {
      input: { tokenId: 7, solAmount: '1', minTokensOut: '32000000', requestId: 'order-1' },
      response: {
        tokensOut: BUY_TRADE.tokenAmount,
        newPrice: BUY_TRADE.spotPrice,
        trade: BUY_TRADE,
        position: POSITION,
      },
    },
  }),
  sell: mutation({
    inFairs: true,
    apiKey: 'trade',
    whenSuspended: 'allowed',
    input: sellInput,
    output: sellResult,
    rest: 'POST /api/tokens/sell',
    operationId: 'sellToken',
    summary:
      'Sells tokens for SOL and responds when the trade is stored. Fails if you would get less SOL than minSolOut. If you get no response, repeat the order with the same Idempotency-Key.',
    errors: [
      ...ORDER_ERRORS,
      ...TRADE_ERRORS,
      'INSUFFICIENT_TOKENS',
      'SEALED',
      'SLIPPAGE_EXCEEDED',
      'TOKEN_NOT_FOUND',
      'TOKEN_CLOSED',
    ],
    example: {
      input: { tokenId: 7, tokenAmount: BOUGHT, minSolOut: '0.99', requestId: 'order-2' },
      response: {
        solOut: CASH_OUT,
        newPrice: SELL_TRADE.spotPrice,
        trade: SELL_TRADE,
        position: { ...POSITION, balance: '99.974008999', amount: '0', cost: '0' },
      },
    },
  }),
  rug: mutation({
    inFairs: true,
    apiKey: 'trade',
    whenSuspended: 'repeats',
    input: rugInput,
    output: rugResult,
    rest: 'POST /api/tokens/{id}/rug',
    operationId: 'rugToken',
    summary:
      'Pays out the pool of your own token and closes the pool for ever. Fails with 409 SEALED while the token is sealed against rug pulls.',
    errors: [...ORDER_ERRORS, 'TOKEN_NOT_FOUND', 'TOKEN_CLOSED', 'NOT_YOURS', 'SEALED'],
    example: {
      input: { id: 7, requestId: 'order-3' },
      response: { ruggedAmount: RUG_EVENT.amount, balance: '99.977' },
    },
  }),
  seal: mutation({
    inFairs: true,
    apiKey: 'trade',
    whenSuspended: 'repeats',
    input: sealInput,
    output: sealResult,
    rest: 'POST /api/tokens/{id}/seal',
    operationId: 'sealToken',
    summary:
      'Seals your own token, so that you cannot rug it during the term. If `bag` is true, you cannot sell your tokens until the seal ends.',
    errors: [...ORDER_ERRORS, 'TOKEN_NOT_FOUND', 'TOKEN_CLOSED', 'NOT_YOURS', 'SEAL_TOO_SHORT'],
    example: {
      input: { id: 7, term: 'day', bag: true, requestId: 'order-4' },
      response: { tokenId: 7, seal: SEAL },
    },
  }),
  quote: query({
    access: 'guestOrPlayer',
    inFairs: true,
    apiKey: 'any',
    input: quoteInput,
    output: quote,
    rest: 'POST /api/quotes',
    operationId: 'getQuote',
    summary: 'Computes the exact result of a buy, sale or launch now. This operation needs no account.',
    errors: [
      ...TRADE_ERRORS,
      'TOKEN_NOT_FOUND',
      'TOKEN_CLOSED',
      'INSUFFICIENT_TOKENS',
      'CROSS_ORIGIN',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    example: {
      input: { side: 'buy', tokenId: 7, solAmount: '1' },
      response: {
        side: 'buy',
        tokenId: 7,
        seq: 0,
        solAmount: '1',
        tokenAmount: BUY_TRADE.tokenAmount,
        fee: BUY_TRADE.fee,
        launchFee: null,
        price: BUY_TRADE.price,
        currentPrice: LAUNCH_PRICE,
        newPrice: BUY_TRADE.spotPrice,
        priceImpact: '6.76',
        newMarketCap: TOKEN.marketCap,
      },
    },
  }),
  position: query({
    inFairs: true,
    apiKey: 'market',
    input: z.object({ tokenId }),
    output: positionAnswer,
    rest: 'GET /api/tokens/{tokenId}/position',
    operationId: 'getPosition',
    summary: 'Returns your holding of a token and your SOL balance.',
    errors: ['TOKEN_NOT_FOUND'],
    example: { input: { tokenId: 7 }, response: POSITION },
  }),
}
