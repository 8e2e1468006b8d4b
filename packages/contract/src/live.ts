import { z } from 'zod'
import { lastEventId } from './cursors.ts'
import { fairId, tokenId } from './ids.ts'
import { fairEvent, namedEvents, ofFair, streamEvent, tokenEvent } from './market-events.ts'
import { postEvent } from './posts.ts'
import { subscription } from './procedure.ts'
import { tokenNames } from './shapes.ts'
import { orderEvent } from './waiting-orders.ts'

/** Kinds of events. Filters and Server-Sent Events use these names. */
export const MARKET_KINDS = ['launch', 'trade', 'rug', 'seal', 'fair'] as const
export const EVENT_KINDS = [...MARKET_KINDS, 'post', 'order'] as const
export type EventKind = (typeof EVENT_KINDS)[number]
/** Kinds of events for subscribers that choose no kinds. Never add a kind, because old programs may not know it. */
export const DEFAULT_KINDS: readonly EventKind[] = ['launch', 'trade', 'rug']

export const TOKENS_MAX = 50
export const FAIRS_MAX = 10

export const tokenFeedInput = z.object({
  tokenId,
  lastEventId: z
    .string()
    .regex(/^\d{1,16}$/, 'must be a sequence number')
    .nullish()
    .describe('The seq of the last event received. Sends later events first.'),
})

/** Events of the kind `fair` require fairs and no tokens, because they belong to no token. */
const namesFairs = (input: { types?: EventKind[]; fairs?: number[]; tokens?: number[] }) =>
  input.types?.includes('fair') !== true || (input.fairs !== undefined && input.tokens === undefined)
const NAMES_FAIRS = { path: ['types'], error: 'can include fair only together with fairs and without tokens' }

export const marketFeedInput = z
  .object({
    lastEventId,
    types: z
      .array(z.enum(MARKET_KINDS))
      .max(MARKET_KINDS.length, 'must name each kind once')
      .optional()
      .describe('Event types. Default: launch, trade and rug.'),
    fairs: z
      .array(fairId)
      .min(1, 'must name a fair')
      .max(FAIRS_MAX, `must be at most ${FAIRS_MAX} ids`)
      .optional()
      .describe('Ids of fairs whose events to send. If omitted, the stream sends events outside fairs.'),
  })
  .refine(namesFairs, NAMES_FAIRS)

const isKind = (text: string): text is EventKind => EVENT_KINDS.some((kind) => kind === text)

/** A list of ids in a query parameter. */
const listOf = (id: z.ZodType, most: number, sentence: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9})*$/, sentence)
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .refine((ids) => ids.length <= most, `must be at most ${most} ids`)
    .refine((ids) => ids.every((one) => id.safeParse(one).success), sentence)
    .optional()

/** The query parameters of `/api/events` and `/ws`. */
export const eventStreamInput = z
  .object({
    tokens: listOf(tokenId, TOKENS_MAX, 'must be ids of tokens, separated by commas').describe(
      `Ids of the tokens whose events to send, comma-separated, at most ${TOKENS_MAX}.`,
    ),
    fairs: listOf(
      fairId,
      FAIRS_MAX,
      'must be ids of fairs, separated by commas; leave it out for events of the fairground',
    ).describe(
      `Ids of at most ${FAIRS_MAX} fairs whose events to send. If omitted, the stream sends events outside fairs. Only members get a room’s events. Cursors of fairs are not valid outside fairs.`,
    ),
    types: z
      .string()
      .transform((text) => text.split(','))
      .refine(
        (names): names is EventKind[] => names.every(isKind),
        'must be some of launch, trade, rug, seal, fair, post and order, separated by commas',
      )
      .optional()
      .describe(
        'Event types: launch, trade, rug, seal, post, order (your own), and with fairs=, fair. Default: launch, trade, rug.',
      ),
    after: z
      .string()
      .optional()
      .describe(
        'Cursor of the last event received. The stream starts with later events and may repeat some earlier events.',
      ),
  })
  .refine(namesFairs, NAMES_FAIRS)

/** A message that replaces missed events, because the stream can no longer resume from the cursor. */
export const gapEvent = z.object({
  type: z.literal('gap'),
  reason: z
    .enum(['expired', 'unknown'])
    .describe(
      'expired: the cursor is more than 24 hours old. unknown: it is from another database, or from before a restore.',
    ),
  since: z.iso.datetime().nullable().describe('When the first missed event happened, if known. ISO 8601.'),
  until: z.iso.datetime().describe('Events from about this time on are sent. ISO 8601.'),
})
export type GapEvent = z.output<typeof gapEvent>

/** A message after all missed events were sent. */
export const liveEvent = z.object({
  type: z.literal('live'),
  at: z.iso.datetime().describe('All events up to this time were sent; new events follow.'),
})
export type LiveEvent = z.output<typeof liveEvent>

const cursor = z
  .string()
  .optional()
  .describe('Only over /ws: send it as after= to resume. Over /api/events it is the event’s id.')

const ofStream = { cursor, ...ofFair }

export const streamMessages = {
  launch: namedEvents.launch.extend(ofStream),
  trade: namedEvents.trade.extend(ofStream),
  rug: namedEvents.rug.extend(ofStream),
  seal: namedEvents.seal.extend(ofStream),
  fair: fairEvent.extend({ cursor }),
  post: postEvent.extend({ ...tokenNames, ...ofStream }),
  order: orderEvent.extend({ ...tokenNames, ...ofStream }),
  gap: gapEvent.extend({ cursor }),
  live: liveEvent.extend({ cursor }),
} as const

export const liveProcedures = {
  /** Sends one token's events, and resumes after the last `seq` that the client received. */
  token: subscription({
    access: 'anyone',
    inFairs: true,
    input: tokenFeedInput,
    output: tokenEvent,
  }),
  /**
   * Sends all tokens' events. Resumes after the last `id` that the client received. Some events may be sent twice;
   * (tokenId, type, seq) identifies them.
   */
  market: subscription({
    access: 'anyone',
    inFairs: true,
    errors: ['FAIR_NOT_FOUND'],
    input: marketFeedInput,
    output: streamEvent,
  }),
}
