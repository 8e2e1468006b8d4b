import { z } from 'zod'
import { tokenId, userId } from '../../ids.ts'
import { HISTORY_POINTS_MAX, HISTORY_TIMEFRAMES } from './history-plan.ts'

const decimal = z.string()
const time = z.iso.datetime()

const tokenFields = { tokenId, tokenName: z.string(), tokenSymbol: z.string(), emoji: z.string() }
const amount = decimal.describe('Tokens held.')
const currentPrice = decimal.describe('Spot price in SOL; 0 after a rug pull.')
const markValue = decimal.describe('Mark value: amount × currentPrice in SOL, cut to 9 decimals.')
const cashOutValue = decimal.describe('SOL that selling it all now would pay, after the fee.')

const isListed = z
  .boolean()
  .describe('False where an operator has hidden the token: it has no page, and its holders may still sell it.')

const pool = z
  .object({ solReserve: decimal, tokenReserve: decimal, realSol: decimal })
  .describe('The token’s reserves, from which any sale can be quoted.')

export const portfolioInput = z.object({
  userId: userId.optional().describe('The signed-in player; another one is refused.'),
})

/** What a player holds of one token. */
export const portfolioEntry = z.object({
  ...tokenFields,
  amount,
  currentPrice,
  pool,
  totalValue: markValue,
  cashOutValue,
  cost: decimal.describe('SOL paid for it, fees included (average cost).'),
  profitLoss: decimal.describe('totalValue − cost, in SOL.'),
  profitLossPercent: decimal.describe('profitLoss as percent of cost, 2 decimals.'),
  profitLoss24h: decimal.describe(
    'SOL: totalValue, less the mark value 24 hours ago of what was held then, plus SOL received and less SOL paid for the token since.',
  ),
  profitLossPercent24h: decimal.describe('profitLoss24h as percent of that earlier value plus SOL paid since.'),
  ruggedAt: time.nullable(),
  isListed,
})
export type PortfolioEntry = z.output<typeof portfolioEntry>
export const portfolio = z.array(portfolioEntry).describe('The most valuable first, at most 1,000.')

export const portfolioSummary = z.object({
  totalValue: decimal.describe('SOL: the sum of every mark value.'),
  cashOutValue: decimal.describe('SOL: the sum of the cash-out values of the holdings that are listed.'),
  cost: decimal.describe('SOL.'),
  profitLoss: decimal.describe('totalValue − cost, in SOL.'),
  profitLossPercent: decimal,
  profitLoss24h: decimal.describe('SOL; also of tokens that were all sold in these 24 hours.'),
  profitLossPercent24h: decimal,
  holdings: z.int().describe('How many tokens are held.'),
})
export type PortfolioSummary = z.output<typeof portfolioSummary>

export const dashboard = z.object({
  pnl: z.object({
    total: decimal.describe('SOL: realized + unrealized.'),
    realized: decimal.describe('SOL: from sales, rug pulls and launch fees.'),
    unrealized: decimal.describe('SOL: mark value less cost of everything held.'),
  }),
  holdings: z.array(
    z.object({
      ...tokenFields,
      amount,
      currentPrice,
      pool,
      currentValue: markValue,
      cashOutValue,
      ruggedAt: time.nullable(),
      isListed,
    }),
  ),
  createdTokens: z.array(
    z.object({
      ...tokenFields,
      createdAt: time,
      currentPrice,
      liquiditySOL: decimal.describe('Real SOL in the pool.'),
      ruggedAt: time.nullable(),
    }),
  ),
})
export type Dashboard = z.output<typeof dashboard>

/** The holdings that the parts of a net worth name. */
export const WORTH_PARTS_MAX = 8

export const netWorth = z.object({
  netWorth: decimal.describe('SOL: balance + cashOutValue + ownPools.'),
  balance: decimal.describe('SOL.'),
  cashOutValue: decimal.describe('SOL that selling each holding now would pay, after the fee.'),
  ownPools: decimal.describe('Real SOL in the open pools of the tokens that the player launched.'),
  openPools: z.int().describe('How many such pools there are.'),
  ownTokens: z.array(tokenId).describe('Their tokens, the newest first, at most 1,000.'),
  holdings: z.int().describe('How many tokens are held.'),
  largest: z
    .array(z.object({ ...tokenFields, cashOutValue }))
    .describe(`The holdings that would pay most, at most ${WORTH_PARTS_MAX}.`),
  others: decimal.describe('SOL that selling the other holdings would pay.'),
})
export type NetWorth = z.output<typeof netWorth>

export const historyTimeframe = z.enum(HISTORY_TIMEFRAMES)
export const historyInput = z.object({ timeframe: historyTimeframe.default('ALL') })

export const history = z.object({
  timeframe: historyTimeframe,
  since: time.describe(
    'Time of the first point: later than the timeframe where the player is younger, or did more than can be read at once.',
  ),
  points: z
    .array(
      z.object({
        time,
        netWorth: decimal.describe(
          'SOL: balance, cash-out value of the holdings, and the SOL in one’s own open pools. Exact in the last point; before, rebuilt from prices, to some billionths.',
        ),
        balance: decimal.describe('SOL; exact.'),
      }),
    )
    .describe(`Oldest first, at most ${HISTORY_POINTS_MAX + 1}; the last is of now.`),
})
export type History = z.output<typeof history>
