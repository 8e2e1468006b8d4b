import { tokenId, userId } from '@papermoon/engine'
import { z } from 'zod'
import { NOTICE_KINDS } from '../../notices/notice.ts'
import { KEPT_MAX } from '../../notices/tell-players.ts'

export const noticeId = z
  .int('must be a whole number')
  .min(1, 'must be above 0')
  .max(Number.MAX_SAFE_INTEGER, 'is too large')

const figure = z.string().nullable()

export const notice = z
  .object({
    id: noticeId.describe('Increases with time; equal ids are the same notice, here and in push messages.'),
    kind: z
      .enum(NOTICE_KINDS)
      .describe(
        'rug: a token you held was rugged. whale: a holder of more than 5 % of it sold. top3: somebody took your place. alert: a price was reached.',
      ),
    createdAt: z.iso.datetime(),
    readAt: z.iso.datetime().nullable(),
    times: z.int().describe('How often it happened: sales of one holder within ten minutes count together.'),
    token: z
      .object({ id: tokenId, name: z.string(), symbol: z.string(), emoji: z.string(), isRugged: z.boolean() })
      .nullable(),
    actor: z
      .object({ id: userId, username: z.string(), isBot: z.boolean() })
      .nullable()
      .describe('Who rugged, sold, or took the place.'),
    seq: z.int().nullable().describe('The sequence number of the token at which it happened last.'),
    tokens: figure.describe('Tokens sold.'),
    sol: figure.describe('SOL that the sales or the rug pull paid.'),
    supply: figure.describe('Of the token.'),
    rank: z.int().nullable().describe('The place that was lost, from 1.'),
    rankNow: z.int().nullable().describe('The place now; null for none of the Top 3.'),
    alert: z
      .object({
        measure: z.enum(['price', 'marketCap', 'percent']),
        value: z.string(),
        direction: z.enum(['above', 'below']),
        price: z.string().describe('SOL: the price that was reached.'),
      })
      .nullable(),
  })
  .meta({ id: 'Notice' })

export const noticeList = z
  .object({
    notices: z.array(notice).describe(`Newest first, at most ${KEPT_MAX}; older ones are deleted.`),
    unread: z.int(),
  })
  .meta({ id: 'NoticeList' })

export const markReadInput = z.object({
  ids: z
    .array(noticeId)
    .min(1, 'must name one to a hundred notices')
    .max(KEPT_MAX, 'must name one to a hundred notices')
    .describe('The notices that were read.'),
})

export const unreadLeft = z.object({ unread: z.int() }).meta({ id: 'UnreadNotices' })

export const noticeSettings = z
  .object({
    muted: z.array(z.enum(NOTICE_KINDS)).describe('The kinds that are not wanted.'),
  })
  .meta({ id: 'NoticeSettings' })

export const noticeSettingsInput = z.object({
  muted: z
    .array(z.enum(NOTICE_KINDS, 'must be kinds of notices'))
    .max(NOTICE_KINDS.length, 'must name each kind once')
    .transform((kinds) => [...new Set(kinds)].sort())
    .describe('The kinds that are not wanted.'),
})

export const noticeFeedInput = z.object({
  lastEventId: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of a notice')
    .nullish()
    .describe('The id of the last notice seen; later ones come first.'),
})
