import { z } from 'zod'
import { ALERT } from './alerts.ts'
import { BOUGHT, TRADED_AT } from './example-market.ts'

import { mutation, query, subscription } from './procedure.ts'
import { decimal, player, tokenShown } from './shapes.ts'
import { words } from './words.ts'

/** Kinds of notices, in the order in which players choose among them. A closed list of answers: it must not grow. */
export const NOTICE_KINDS = ['rug', 'whale', 'top3', 'alert'] as const

/** Kinds that came later: answers have them apart. */
export const NEWS_KINDS = words(
  'sticker buyer holder milestone seal mention moderation order reply reaction follower post',
)

/** Notices kept for each player; older ones are deleted. */
export const KEPT_MAX = 100

export const noticeId = z
  .int('must be a whole number')
  .min(1, 'must be above 0')
  .max(Number.MAX_SAFE_INTEGER, 'is too large')

const figure = decimal.nullable()

const fields = {
  id: noticeId.describe('Increases with time; equal ids are the same notice, here and in push messages.'),
  createdAt: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
  times: z.int().describe('How often it happened.'),
  token: z.object({ ...tokenShown, isRugged: z.boolean() }).nullable(),
  actor: z.object(player).nullable().describe('Whose act it was.'),
  seq: z.int().nullable().describe('The sequence number of the token at which it happened last.'),
  tokens: figure.describe('Tokens sold, or held by a new holder.'),
  sol: figure.describe('SOL that the sales or the rug pull paid, or that the first buyer did.'),
  supply: figure.describe('Of the token.'),
  rank: z.int().nullable().describe('The place that was lost, from 1.'),
  rankNow: z.int().nullable().describe('The place now; null for none of the Top 3.'),
}

export const notice = z
  .object({
    ...fields,
    kind: z
      .enum(NOTICE_KINDS)
      .describe(
        'rug: a token you held was rugged. whale: a holder of more than 5 % sold. top3: somebody took your place. alert: a price was reached.',
      ),
    alert: z
      .object({
        measure: z.enum(['price', 'marketCap', 'percent']),
        value: decimal,
        direction: z.enum(['above', 'below']),
        price: decimal.describe('SOL: the price that was reached.'),
      })
      .nullable(),
  })
  .meta({ id: 'Notice' })

/** A notice of a kind that came later. */
export const news = z
  .object({
    ...fields,
    kind: z
      .enum(NEWS_KINDS)
      .describe(
        'sticker: one or more were earned. Of your tokens, buyer: the first. holder: of more than 1 %. milestone: of market cap or holders. seal: of a token you hold ends soon, or has ended. mention: a post mentions you. reply, reaction: to your post. follower: a new one. post: the first on your token. moderation: of your report or words. order: filled, triggered or ended.',
      ),
    sticker: z
      .object({
        id: z.string(),
        emoji: z.string(),
        name: z.string(),
        rule: z.string().describe('What earns it, in one sentence.'),
        more: z.int().describe('How many others were earned with it.'),
      })
      .nullable(),
    milestone: z
      .object({
        measure: z.enum(['marketCap', 'holders']),
        value: decimal.describe('SOL, or players; without the creator’s own bag.'),
      })
      .nullable(),
    seal: z
      .object({
        stage: z
          .enum(['hour', 'minutes', 'ended'])
          .describe('It ends within an hour, within five minutes, or has ended.'),
        until: z.iso.datetime(),
      })
      .nullable(),
    post: z
      .object({
        id: z.int(),
        tokenId: z.int().nullable(),
        fairId: z.int().nullable(),
        parentId: z.int().nullable().describe('The post it replies to.'),
        text: z.string().describe('Empty unless shown.'),
      })
      .nullable()
      .describe('The post that it is about.'),
    moderation: z
      .object({
        act: z.string().describe('Such as dismiss, hide, delete, release, warn, mute, suspend, undo.'),
        about: z.string().describe('post, token, name, picture or player.'),
        isReport: z.boolean().describe('Whether one reported it; else it is about oneself.'),
      })
      .nullable(),
    order: z
      .object({
        kind: z.string(),
        state: z.string(),
        cause: z.string().nullable(),
        waitsAt: z.string().nullable().describe('Least price of a triggered stop.'),
      })
      .nullable()
      .describe('Of the waiting order.'),
  })
  .meta({ id: 'News' })

export const noticeList = z
  .object({
    notices: z.array(notice).describe(`Newest first, at most ${KEPT_MAX}; older ones are deleted.`),
    unread: z.int(),
    news: z.array(news).describe(`Notices of later kinds, newest first; ${KEPT_MAX} with the others.`),
    unreadNews: z.int().describe('How many of the news are unread.'),
  })
  .meta({ id: 'NoticeList' })

export const markReadInput = z.object({
  ids: z
    .array(noticeId)
    .min(1, 'must name one to a hundred notices')
    .max(KEPT_MAX, 'must name one to a hundred notices')
    .describe('The notices that were read.'),
})

export const noticeSettings = z
  .object({
    muted: z.array(z.enum(NOTICE_KINDS)).describe('The kinds that are not wanted.'),
    mutedNews: z.array(z.enum(NEWS_KINDS)).describe('The kinds of news that are not wanted.'),
  })
  .meta({ id: 'NoticeSettings' })

export const noticeSettingsInput = z.object({
  muted: z
    .array(z.enum(NOTICE_KINDS, 'must be kinds of notices'))
    .max(NOTICE_KINDS.length, 'must name each kind once')
    .transform((kinds) => [...new Set(kinds)].sort())
    .describe('The kinds that are not wanted.'),
  mutedNews: z
    .array(z.enum(NEWS_KINDS, 'must be kinds of news'))
    .max(NEWS_KINDS.length, 'must name each kind once')
    .transform((kinds) => [...new Set(kinds)].sort())
    .optional()
    .describe('Unwanted kinds of news; left out: as before.'),
})

export const noticeFeedInput = z.object({
  lastEventId: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of a notice')
    .nullish()
    .describe('The id of the last notice seen; later ones come first.'),
  news: z.boolean().optional().describe('Whether news come too.'),
})

const NOTICE = {
  id: 12,
  kind: 'whale',
  createdAt: TRADED_AT,
  readAt: null,
  times: 2,
  token: { ...ALERT.token, isRugged: false },
  actor: { id: 3, username: 'luna', isBot: false },
  seq: 9,
  tokens: BOUGHT,
  sol: '0.99',
  supply: '1000000000',
  rank: null,
  rankNow: null,
  alert: null,
}

export const noticesProcedures = {
  list: query({
    output: noticeList,
    rest: 'GET /api/notices',
    operationId: 'listNotices',
    summary: 'Your notices: what the bell shows.',
    example: { answer: { notices: [NOTICE], unread: 1, news: [], unreadNews: 0 } },
  }),
  /** The player's notices as they come; resumes after the last id that the client saw. */
  live: subscription({
    input: noticeFeedInput,
    output: z.union([notice, news]),
  }),
  markRead: mutation({
    whenSuspended: 'allowed',
    input: markReadInput,
    output: z.object({ unread: z.int() }).meta({ id: 'UnreadNotices' }),
    rest: 'POST /api/notices/read',
    operationId: 'markNoticesRead',
    summary: 'Marks notices as read; answers how many are unread.',
    example: { input: { ids: [12] }, answer: { unread: 0 } },
  }),
  settings: query({
    apiKey: 'never',
    output: noticeSettings,
    rest: 'GET /api/notices/settings',
    operationId: 'getNoticeSettings',
    summary: 'Which kinds of notices one does not want.',
    example: { answer: { muted: ['whale'], mutedNews: [] } },
  }),
  setSettings: mutation({
    whenSuspended: 'allowed',
    input: noticeSettingsInput,
    output: noticeSettings,
    rest: 'PUT /api/notices/settings',
    operationId: 'setNoticeSettings',
    summary: 'Sets which kinds of notices are not wanted.',
    example: { input: { muted: ['whale'] }, answer: { muted: ['whale'], mutedNews: [] } },
  }),
}
