import { z } from 'zod'
import { BOUGHT, BUY_EVENT, BUY_TRADE, CASH_OUT, CHART, TOKEN, TRADED_AT } from './example-market.ts'
import { tokenId } from './ids.ts'
import { tokenEvent, trade } from './market-events.ts'
import { query } from './procedure.ts'
import { decimal, playerFields, time } from './shapes.ts'
import { chart, HOLDERS_PAGE, holder, TRADES_PAGE, timeframes, token } from './tokens.ts'

/** Max number of events per page. */
export const STEPS_MAX = 500
export const STEPS_PAGE = 200

const seq = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const moment = seq.describe('The token’s sequence number; 0 is the launch.')

export const momentInput = z.object({ tokenId, seq: moment })
export type MomentInput = z.output<typeof momentInput>

export const pastChartInput = momentInput.extend({ timeframe: z.enum(timeframes).default('ALL') })
export type PastChartInput = z.output<typeof pastChartInput>

export const momentAtInput = z.object({
  tokenId,
  time: z.iso
    .datetime('must be a time, such as 2026-01-05T18:00:00Z')
    .refine((text) => Date.parse(text) >= 0, 'must not be before 1970')
    .transform((text) => new Date(text)),
})
export type MomentAtInput = z.output<typeof momentAtInput>

export const stepsInput = z.object({
  tokenId,
  after: seq.describe('Sequence number before the page; 0 is the launch.'),
  limit: z.int().min(1).max(STEPS_MAX).default(STEPS_PAGE),
})
export type StepsInput = z.output<typeof stepsInput>

const launched = z.object({ type: z.literal('launch'), ...playerFields }).meta({ id: 'LaunchMoment' })
const traded = z.object({ type: z.literal('trade'), trade }).meta({ id: 'TradeMoment' })
const rugged = z
  .object({
    type: z.literal('rug'),
    ...playerFields,
    amount: decimal.describe('SOL that the creator took.'),
  })
  .meta({ id: 'RugMoment' })

/** A token's page right after one of its events. */
export const tokenMoment = z
  .object({
    tokenId,
    seq,
    time: time.describe('Time of the event. The 24-hour statistics end at this time.'),
    lastSeq: seq.describe('The token’s latest sequence number.'),
    previousSeq: seq.nullable(),
    nextSeq: seq.nullable(),
    event: z.discriminatedUnion('type', [launched, traded, rugged]).describe('The event with this sequence number.'),
    token: token.describe('The token right after the event.'),
    holdersCount: z.int(),
    holders: z.array(holder).describe(`Largest holders by rank, at most ${HOLDERS_PAGE}.`),
    trades: z.array(trade).describe(`Trades up to the event, newest first, at most ${TRADES_PAGE}.`),
  })
  .meta({ id: 'TokenMoment' })
export type TokenMoment = z.output<typeof tokenMoment>

/** A token's chart at an earlier time. The chart's last candle may be incomplete, because its time had not ended. */
export const pastChart = chart
export type PastChart = z.output<typeof pastChart>

export const momentAt = z
  .object({ tokenId, seq, time: time.describe('Time of the event.') })
  .meta({ id: 'MomentNumber' })
export type MomentAt = z.output<typeof momentAt>

export const steps = z
  .object({
    tokenId,
    after: seq,
    lastSeq: seq.describe('The token’s latest sequence number.'),
    nextAfter: seq.nullable().describe('Cursor for the next page, or null on the last page.'),
    holdersCount: z.int().describe('Number of holders before the first event.'),
    holders: z
      .array(holder.omit({ rank: true }))
      .describe(
        'Holdings before the first event, largest first, of all players who trade in this page and of the 20 largest other holders.',
      ),
    events: z.array(tokenEvent).describe('Events in order. `holding` is the trader’s holding after the trade.'),
  })
  .meta({ id: 'PastSteps' })
export type Steps = z.output<typeof steps>

const bagNow = z
  .object({
    amount: decimal.describe('Number of tokens that the player holds now.'),
    cost: decimal.describe('Average cost of the tokens in SOL, including fees.'),
    cashOutValue: decimal.describe('SOL that selling all these tokens now would pay, after the fee.'),
    sameBag: decimal
      .nullable()
      .describe('SOL that selling the same number of tokens would pay now. Null if the player now holds fewer.'),
  })
  .meta({ id: 'BagNow' })

/** The logged-in player's holding at an earlier time. */
export const bag = z
  .object({
    tokenId,
    seq,
    amount: decimal.describe('Tokens held right after the event.'),
    cashOutValue: decimal.describe('SOL that selling all these tokens then would have paid, after the fee.'),
    now: bagNow,
  })
  .meta({ id: 'PastBag' })
export type Bag = z.output<typeof bag>

/**
 * Number of extra reads that a call counts as in the rate limit. Reading the journal takes about five times as long as
 * a cached read.
 */
const MORE_READS = 4

const PAST_ERRORS = ['TOKEN_NOT_FOUND', 'MOMENT_NOT_FOUND', 'BUSY'] as const

const STEPS_PER_READ = 50
/** Counts the extra reads for a page of events. The input is not validated yet. */
export function countStepReads(input: unknown): number {
  const { limit = STEPS_PAGE } = Object(input) as { limit?: unknown }
  return 2 + (typeof limit === 'number' && limit > 0 ? Math.ceil(Math.min(limit, 1_000) / STEPS_PER_READ) : 0)
}

export const pastProcedures = {
  moment: query({
    access: 'anyone',
    inFairs: true,
    reads: () => MORE_READS,
    input: momentInput,
    output: tokenMoment,
    rest: 'GET /api/tokens/{tokenId}/past/{seq}',
    operationId: 'getMoment',
    summary: 'Returns a token’s state, largest holders and trades right after one of its events.',
    errors: PAST_ERRORS,
    example: {
      input: { tokenId: 7, seq: 1 },
      response: {
        tokenId: 7,
        seq: 1,
        time: TRADED_AT,
        lastSeq: 41,
        previousSeq: 0,
        nextSeq: 2,
        event: { type: 'trade', trade: BUY_TRADE },
        token: TOKEN,
        holdersCount: 1,
        holders: [{ userId: 3, username: 'luna', isBot: false, rank: 1, amount: BOUGHT }],
        trades: [],
      },
    },
  }),
  chart: query({
    access: 'anyone',
    inFairs: true,
    reads: () => MORE_READS,
    input: pastChartInput,
    output: pastChart,
    rest: 'GET /api/tokens/{tokenId}/past/{seq}/chart',
    operationId: 'getPastChart',
    summary:
      'Returns the chart as it was right after one of a token’s events. The chart excludes trades after the event.',
    errors: PAST_ERRORS,
    example: { input: { tokenId: 7, seq: 1, timeframe: '24H' }, response: CHART },
  }),
  at: query({
    access: 'anyone',
    inFairs: true,
    input: momentAtInput,
    output: momentAt,
    rest: 'GET /api/tokens/{tokenId}/past',
    operationId: 'findMoment',
    summary:
      'Returns the sequence number of a token’s last event at or before a time. For times before the launch, the sequence number is 0.',
    errors: ['TOKEN_NOT_FOUND', 'BUSY'],
    example: {
      input: { tokenId: 7, time: '2026-03-01T12:06:00.000Z' },
      response: { tokenId: 7, seq: 1, time: TRADED_AT },
    },
  }),
  steps: query({
    access: 'anyone',
    inFairs: true,
    reads: countStepReads,
    input: stepsInput,
    output: steps,
    rest: 'GET /api/tokens/{tokenId}/past/{after}/steps',
    operationId: 'listPastSteps',
    summary: 'Lists at most 500 events of a token after a sequence number, with earlier holdings.',
    errors: PAST_ERRORS,
    example: {
      input: { tokenId: 7, after: 0, limit: 1 },
      response: { tokenId: 7, after: 0, lastSeq: 41, nextAfter: 1, holdersCount: 0, holders: [], events: [BUY_EVENT] },
    },
  }),
  bag: query({
    inFairs: true,
    apiKey: 'market',
    reads: () => MORE_READS,
    input: momentInput,
    output: bag,
    rest: 'GET /api/tokens/{tokenId}/past/{seq}/bag',
    operationId: 'getPastBag',
    summary: 'Returns your holding right after an event, and the SOL that selling it then would have paid.',
    errors: PAST_ERRORS,
    example: {
      input: { tokenId: 7, seq: 1 },
      response: {
        tokenId: 7,
        seq: 1,
        amount: BOUGHT,
        cashOutValue: CASH_OUT,
        now: { amount: BOUGHT, cost: '1', cashOutValue: CASH_OUT, sameBag: CASH_OUT },
      },
    },
  }),
}
