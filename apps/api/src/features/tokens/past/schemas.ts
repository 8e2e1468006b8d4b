import { isBot, marketEvent, tokenId, trade, userId } from '@papermoon/engine'
import { z } from 'zod'
import { chart, HOLDERS_PAGE, holder, TRADES_PAGE, timeframes, token } from '../schemas.ts'

const decimal = z.string().meta({ format: 'decimal' })
const time = z.iso.datetime()

/** Events in a page of steps. */
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
  after: seq.describe('Number of the event before the page; 0 is the launch.'),
  limit: z.int().min(1).max(STEPS_MAX).default(STEPS_PAGE),
})
export type StepsInput = z.output<typeof stepsInput>

const launched = z
  .object({ type: z.literal('launch'), userId, username: z.string(), isBot })
  .meta({ id: 'LaunchMoment' })
const traded = z.object({ type: z.literal('trade'), trade }).meta({ id: 'TradeMoment' })
const rugged = z
  .object({
    type: z.literal('rug'),
    userId,
    username: z.string(),
    isBot,
    amount: decimal.describe('SOL drained.'),
  })
  .meta({ id: 'RugMoment' })

/** A token's page right after one of its events. */
export const tokenMoment = z
  .object({
    tokenId,
    seq,
    time: time.describe('When the event happened; the figures of 24 hours end here.'),
    lastSeq: seq.describe('The token’s last number now.'),
    previousSeq: seq.nullable(),
    nextSeq: seq.nullable(),
    event: z.discriminatedUnion('type', [launched, traded, rugged]).describe('What happened at this number.'),
    token: token.describe('The token as it was right after the event.'),
    holdersCount: z.int(),
    holders: z.array(holder).describe(`The largest holders by rank, at most ${HOLDERS_PAGE}.`),
    trades: z.array(trade).describe(`The trades up to the event, newest first, at most ${TRADES_PAGE}.`),
  })
  .meta({ id: 'TokenMoment' })
export type TokenMoment = z.output<typeof tokenMoment>

/** The chart as it was: the last candle is the one that was forming. */
export const pastChart = chart
export type PastChart = z.output<typeof pastChart>

export const momentAt = z
  .object({ tokenId, seq, time: time.describe('When this event happened.') })
  .meta({ id: 'MomentNumber' })
export type MomentAt = z.output<typeof momentAt>

export const steps = z
  .object({
    tokenId,
    after: seq,
    lastSeq: seq.describe('The token’s last number now.'),
    nextAfter: seq.nullable().describe('Where the next page begins; null at the end.'),
    holdersCount: z.int().describe('Before the first of these events.'),
    holders: z
      .array(holder.omit({ rank: true }))
      .describe(
        'What was held before the first of these events, by everybody who may be among the largest holders during the page: those who trade in it, and the 20 largest of the others. Largest first.',
      ),
    events: z.array(marketEvent).describe('In order; the holding is the trader’s right after the trade.'),
  })
  .meta({ id: 'PastSteps' })
export type Steps = z.output<typeof steps>

const bagNow = z
  .object({
    amount: decimal.describe('Tokens the player holds now.'),
    cost: decimal.describe('SOL: what those cost, fees included (average cost).'),
    cashOutValue: decimal.describe('SOL that selling all of them now would pay, after the fee.'),
    sameBag: decimal
      .nullable()
      .describe('SOL that selling as many tokens as then would pay now, after the fee; null where fewer are held.'),
  })
  .meta({ id: 'BagNow' })

/** Holding of the signed-in player at a moment. */
export const bag = z
  .object({
    tokenId,
    seq,
    amount: decimal.describe('Tokens held right after the event.'),
    cashOutValue: decimal.describe('SOL that selling all of them then would have paid, after the fee.'),
    now: bagNow,
  })
  .meta({ id: 'PastBag' })
export type Bag = z.output<typeof bag>
