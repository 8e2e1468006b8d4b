import { userId } from '@papermoon/engine'
import { z } from 'zod'
import { API_SCOPES } from '../../context.ts'

const decimal = z.string().meta({ format: 'decimal' })

export const siteSettings = z
  .object({
    communityUrl: z.string(),
    isSettingUp: z.boolean().describe('Whether the history of a demo world is being written, for some seconds.'),
  })
  .meta({ id: 'SiteSettings' })

const rule = z.object({ calls: z.int(), seconds: z.int() }).nullable()

const callerLimits = z.object({
  kind: z.enum(['anonymous', 'session', 'key']),
  userId: userId.nullable(),
  key: z
    .object({
      id: z.int(),
      name: z.string(),
      scopes: z.array(z.enum(API_SCOPES)),
      expiresAt: z.iso.datetime().nullable(),
      spendingLimit: decimal.nullable().describe('SOL that the key may spend in a UTC day; null for no limit.'),
      spentToday: decimal.nullable(),
      leftToday: decimal.nullable(),
      resetsAt: z.iso.datetime().nullable().describe('When the next day begins; null without a limit.'),
    })
    .nullable()
    .describe('The API key of the call.'),
})
export type CallerLimits = z.output<typeof callerLimits>

export const parameters = z
  .object({
    tradingFee: decimal.describe('Fraction of the SOL side of every trade.'),
    launchFee: decimal.describe('SOL that a launch costs.'),
    supply: decimal.describe('Tokens per launch.'),
    virtualSol: decimal.describe('SOL that sets the first price of a pool and is never paid out.'),
    startingBalance: decimal.describe('SOL of a new player.'),
    decimals: z.object({ sol: z.int(), token: z.int(), price: z.int() }),
    solPriceUsd: decimal.describe('Fixed exchange rate for amounts in dollars.'),
    ordersUnderWay: z.int().describe('Orders that a player may have under way.'),
    rateLimits: z
      .array(z.object({ name: z.string(), perAddress: rule, perAccount: rule }))
      .describe('Calls in a window of seconds, by what they count as; empty where the operator has lifted all limits.'),
    caller: callerLimits,
  })
  .meta({ id: 'Parameters' })
export type Parameters = z.output<typeof parameters>
