import { z } from 'zod'
import { userId } from './ids.ts'
import { API_SCOPES, query, subscription } from './procedure.ts'
import { decimal } from './shapes.ts'

export const ANNOUNCEMENT_MAX = 200
const announcement = z
  .object({
    id: z.int(),
    text: z.string().describe('Text of the announcement, without markup.'),
    endsAt: z.iso.datetime().nullable(),
  })
  .nullable()
export type Announcement = NonNullable<z.output<typeof announcement>>

export const siteSettings = z
  .object({
    communityUrl: z.string(),
    isSettingUp: z.boolean().describe('Whether the server is still writing its demo data, which takes some seconds.'),
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
      spendingLimit: decimal
        .nullable()
        .describe('Maximum SOL that the key may spend per UTC day, or null if unlimited.'),
      spentToday: decimal.nullable(),
      leftToday: decimal.nullable(),
      resetsAt: z.iso.datetime().nullable().describe('When the next UTC day begins, or null if unlimited.'),
    })
    .nullable()
    .describe('API key of this request.'),
})
export type CallerLimits = z.output<typeof callerLimits>

export const parameters = z
  .object({
    tradingFee: decimal.describe('Trading fee, as a fraction of each trade’s SOL.'),
    launchFee: decimal.describe('Launch fee in SOL.'),
    supply: decimal.describe('Supply of each token.'),
    virtualSol: decimal.describe('SOL that sets a pool’s first price and is never paid out.'),
    startingBalance: decimal.describe('SOL that a new player gets.'),
    decimals: z.object({
      sol: z.int().describe('Number of decimals of SOL.'),
      token: z.int().describe('Number of decimals of tokens.'),
      price: z.int().describe('Number of decimals of prices.'),
    }),
    solPriceUsd: decimal.describe('Fixed price of a SOL in dollars.'),
    ordersUnderWay: z.int().describe('Maximum number of running orders per player.'),
    rateLimits: z
      .array(z.object({ name: z.string().describe('Name of the limit.'), perAddress: rule, perAccount: rule }))
      .describe(
        'Maximum calls per time window, by name of the limit. The list is empty if the operator turned limits off.',
      ),
    bounds: z.record(z.string(), z.int()).describe('Other limits of the API, by name.'),
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
    summary: 'Returns the settings of this server that clients need.',
    example: { response: { communityUrl: 'https://x.com/', isSettingUp: false, announcement: null } },
  }),
  /** Sends the operator's announcement at once and after each change. */
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
      'Returns the market’s constants, the rate limits, the caller, and the SOL that the caller’s API key may still spend.',
    example: {
      response: {
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
