import { z } from 'zod'
import { tokenId, userId } from '../../ids.ts'

const decimal = z.string()
const time = z.iso.datetime()

const tokenFields = { tokenId, tokenName: z.string(), tokenSymbol: z.string(), emoji: z.string() }
const amount = decimal.describe('Tokens held.')
const currentPrice = decimal.describe('Spot price in SOL; 0 after a rug pull.')
const markValue = decimal.describe('Mark value: amount × currentPrice in SOL, cut to 9 decimals.')
const cashOutValue = decimal.describe('SOL that selling it all now would pay, after the fee.')

export const portfolioInput = z.object({
  userId: userId.optional().describe('The signed-in player; another one is refused.'),
})

/** What a player holds of one token. */
export const portfolioEntry = z.object({
  ...tokenFields,
  amount,
  currentPrice,
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
      currentValue: markValue,
      cashOutValue,
      ruggedAt: time.nullable(),
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
