import { z } from 'zod'
import { lastEventId } from './cursors.ts'
import { fairId, tokenId } from './ids.ts'
import { fairEvent, namedEvents, ofFair, streamEvent, tokenEvent } from './market-events.ts'
import { postEvent } from './posts.ts'
import { subscription } from './procedure.ts'
import { tokenNames } from './shapes.ts'
import { orderEvent } from './waiting-orders.ts'

/** The kinds of events, as filters and the event names of Server-Sent Events have them. */
export const MARKET_KINDS = ['launch', 'trade', 'rug', 'seal', 'fair'] as const
export const EVENT_KINDS = [...MARKET_KINDS, 'post', 'order'] as const
export type EventKind = (typeof EVENT_KINDS)[number]
/** What listeners get who name no kinds. It never grows: programs may know no other. */
export const DEFAULT_KINDS: readonly EventKind[] = ['launch', 'trade', 'rug']

export const TOKENS_MAX = 50
export const FAIRS_MAX = 10

export const tokenFeedInput = z.object({
  tokenId,
  lastEventId: z
    .string()
    .regex(/^\d{1,16}$/, 'must be a sequence number')
    .nullish()
    .describe('The seq of the last event seen; events after it come first.'),
})

/** Start, end and results are of whole fairs. */
const namesFairs = (input: { types?: EventKind[]; fairs?: number[]; tokens?: number[] }) =>
  input.types?.includes('fair') !== true || (input.fairs !== undefined && input.tokens === undefined)
const NAMES_FAIRS = { path: ['types'], error: 'must name fair only together with fairs, and without tokens' }

export const marketFeedInput = z
  .object({
    lastEventId,
    types: z
      .array(z.enum(MARKET_KINDS))
      .max(MARKET_KINDS.length, 'must name each kind once')
      .optional()
      .describe('Only events of these kinds; left out: launch, trade and rug.'),
    fairs: z
      .array(fairId)
      .min(1, 'must name a fair')
      .max(FAIRS_MAX, `must be at most ${FAIRS_MAX} ids`)
      .optional()
      .describe('Events of these fairs, whose ids are not those of the fairground; left out: of the fairground.'),
  })
  .refine(namesFairs, NAMES_FAIRS)

const isKind = (text: string): text is EventKind => EVENT_KINDS.some((kind) => kind === text)

/** Ids in a query parameter. */
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
      `Only events of these tokens: ids, separated by commas, at most ${TOKENS_MAX}.`,
    ),
    fairs: listOf(
      fairId,
      FAIRS_MAX,
      'must be ids of fairs, separated by commas; without it come events of the fairground',
    ).describe(
      `Events of these fairs, at most ${FAIRS_MAX}, with cursors of their own, instead of the fairground. Rooms: for members.`,
    ),
    types: z
      .string()
      .transform((text) => text.split(','))
      .refine(
        (names): names is EventKind[] => names.every(isKind),
        'must be of launch, trade, rug, seal, fair, post and order, separated by commas',
      )
      .optional()
      .describe(
        'Of launch, trade, rug, seal, post, order (one’s own), and with fairs= fair. Left out: launch, trade, rug.',
      ),
    after: z
      .string()
      .optional()
      .describe('The cursor of the last event seen: events after it come first, and a few before it may come again.'),
  })
  .refine(namesFairs, NAMES_FAIRS)

/** Sent instead of events that a cursor cannot be followed by any more. */
export const gapEvent = z.object({
  type: z.literal('gap'),
  reason: z
    .enum(['expired', 'unknown'])
    .describe(
      'expired: more than 24 hours ago; unknown: the cursor is of another database, or of a time before a restore.',
    ),
  since: z.iso.datetime().nullable().describe('When the first missed event happened, if that is known. ISO 8601.'),
  until: z.iso.datetime().describe('Events from about then on are sent again. ISO 8601.'),
})
export type GapEvent = z.output<typeof gapEvent>

/** Sent once to those who resume, where the past ends. */
export const liveEvent = z.object({
  type: z.literal('live'),
  at: z.iso.datetime().describe('What this server knew at that time was sent; what follows happens from now on.'),
})
export type LiveEvent = z.output<typeof liveEvent>

const cursor = z
  .string()
  .optional()
  .describe('Over /ws only: where to resume, as after=. Over /api/events it is the id of the event.')

const ofStream = { cursor, ...ofFair }

/** Every message of `/api/events` and `/ws`. */
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
  /** One token's events; resumes after the last `seq` that the client saw. */
  token: subscription({
    access: 'anyone',
    inFairs: true,
    input: tokenFeedInput,
    output: tokenEvent,
  }),
  /** All tokens' events; resumes after the last `id` that the client saw. Some may repeat: (tokenId, type, seq) identifies them. */
  market: subscription({
    access: 'anyone',
    inFairs: true,
    errors: ['FAIR_NOT_FOUND'],
    input: marketFeedInput,
    output: streamEvent,
  }),
}
