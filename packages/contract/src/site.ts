import { z } from 'zod'
import { userId } from './ids.ts'
import { API_SCOPES, query, subscription } from './procedure.ts'
import { decimal } from './shapes.ts'

export const ANNOUNCEMENT_MAX = 200
const announcement = z
  .object({ id: z.int(), text: z.string().describe('Plain text.'), endsAt: z.iso.datetime().nullable() })
  .nullable()
export type Announcement = NonNullable<z.output<typeof announcement>>

export const siteSettings = z
  .object({
    communityUrl: z.string(),
    isSettingUp: z.boolean().describe('Whether the history of a demo world is being written, for some seconds.'),
    announcement,
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
    bounds: z
      .record(z.string(), z.int())
      .describe('What the API allows at most, by names that the guide’s chapter on limits lists.'),
    caller: callerLimits,
  })
  .meta({ id: 'Parameters' })
export type Parameters = z.output<typeof parameters>

export const siteProcedures = {
  settings: query({
    access: 'anyone',
    output: siteSettings,
    rest: 'GET /api/site',
    operationId: 'getSite',
    summary: 'What the operator set that a client needs to know.',
    example: { answer: { communityUrl: 'https://x.com/', isSettingUp: false, announcement: null } },
  }),
  /** The operator’s announcement, now and whenever it changes. */
  announcement: subscription({
    access: 'anyone',
    input: z.object({
      lastEventId: z
        .string()
        .regex(/^\d{1,16}$/, 'must be the id of an announcement')
        .nullish(),
    }),
    output: z.object({ announcement }),
  }),
  parameters: query({
    access: 'guestOrPlayer',
    apiKey: 'any',
    output: parameters,
    rest: 'GET /api/parameters',
    operationId: 'getParameters',
    summary:
      'The market’s constants, the limits of calls, and who the caller is with what their API key may still spend.',
    example: {
      answer: {
        tradingFee: '0.003',
        launchFee: '0.02',
        supply: '1000000000',
        virtualSol: '30',
        startingBalance: '100',
        decimals: { sol: 9, token: 6, price: 18 },
        solPriceUsd: '200',
        ordersUnderWay: 8,
        rateLimits: [
          { name: 'read', perAddress: { calls: 1_200, seconds: 10 }, perAccount: null },
          {
            name: 'write',
            perAddress: { calls: 1_200, seconds: 10 },
            perAccount: { calls: 600, seconds: 10 },
          },
        ],
        bounds: { bodyBytes: 32_768, waitingOrders: 50 },
        caller: {
          kind: 'key',
          userId: 3,
          key: {
            id: 2,
            name: 'market bot',
            scopes: ['read', 'trade'],
            expiresAt: '2026-06-01T00:00:00.000Z',
            spendingLimit: '10',
            spentToday: '2.5',
            leftToday: '7.5',
            resetsAt: '2026-03-02T00:00:00.000Z',
          },
        },
      },
    },
  }),
}
