import { z } from 'zod'
import { ALERT } from './alerts.ts'
import { BOUGHT, TRADED_AT } from './example-market.ts'

import { fairId } from './ids.ts'
import { mutation, query, subscription } from './procedure.ts'
import { decimal, player, tokenShown } from './shapes.ts'
import { words } from './words.ts'

/** Kinds of notices, in the order of the settings. Never add a kind, because the API promises a closed list. */
export const NOTICE_KINDS = ['rug', 'whale', 'top3', 'alert'] as const

/** Kinds of notices that were added later and have their own list in responses. */
export const NEWS_KINDS = words(
  'sticker buyer holder milestone seal mention moderation order reply reaction follower post',
)

/** Max number of notices per player. The server deletes older notices. */
export const NOTICES_MAX = 100

export const noticeId = z
  .int('must be a whole number')
  .min(1, 'must be above 0')
  .max(Number.MAX_SAFE_INTEGER, 'is too large')

const figure = decimal.nullable()

const fields = {
  id: noticeId.describe('Id of the notice and its push message. Ids increase.'),
  createdAt: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
  times: z.int().describe('How often the event happened.'),
  token: z.object({ ...tokenShown, isRugged: z.boolean() }).nullable(),
  actor: z.object(player).nullable().describe('The player who caused the notice.'),
  seq: z.int().nullable().describe('The token’s `seq` when the event last happened.'),
  tokens: figure.describe('Tokens sold, or held by the new holder.'),
  sol: figure.describe(
    'SOL of the sales, the rug pull or the first buy, your score in a fair, or your profit in a giveaway window.',
  ),
  supply: figure.describe('Supply of the token.'),
  rank: z
    .int()
    .nullable()
    .describe('The rank that another player took, or your rank in a fair or giveaway window, from 1.'),
  rankNow: z.int().nullable().describe('Your rank now, or null outside the top 3.'),
}

export const notice = z
  .object({
    ...fields,
    kind: z
      .enum(NOTICE_KINDS)
      .describe(
        'rug: a token you held was rugged. whale: a holder of more than 5 % sold at least 1 %. top3: another player took your rank. alert: a price alert fired.',
      ),
    alert: z
      .object({
        measure: z.enum(['price', 'marketCap', 'percent']),
        value: decimal,
        direction: z.enum(['above', 'below']),
        price: decimal.describe('Price that was reached, in SOL per token.'),
      })
      .nullable(),
  })
  .meta({ id: 'Notice' })

/** A notice of a kind that was added later. */
export const news = z
  .object({
    ...fields,
    kind: z
      .enum(NEWS_KINDS)
      .describe(
        'sticker: you earned stickers. buyer: your token has its first buyer. holder: a player holds over 1 % of your token. milestone: your token reached a market cap or number of holders. seal: the seal of a token you hold ends soon or has ended. mention: a post mentions you, a fair you entered has ended, a rematch invites you, a quest is done, or you were in the top 3 of a giveaway window. reply, reaction: a player replied or reacted to your post. follower: a player follows you, or one you follow launched `token`. post: your token has its first post. moderation: a moderator decided about your report or your posts. order: your waiting order filled, triggered or ended.',
      ),
    sticker: z
      .object({
        id: z.string(),
        emoji: z.string(),
        name: z.string(),
        rule: z.string().describe('How to earn the sticker, in one sentence.'),
        more: z.int().describe('Number of other stickers earned at the same time.'),
      })
      .nullable(),
    milestone: z
      .object({
        measure: z.enum(['marketCap', 'holders']),
        value: decimal.describe('Market cap in SOL, or number of holders without the creator.'),
      })
      .nullable(),
    seal: z
      .object({
        stage: z
          .enum(['hour', 'minutes', 'ended'])
          .describe('Whether the seal ends within an hour or five minutes, or has ended.'),
        until: z.iso.datetime(),
      })
      .nullable(),
    post: z
      .object({
        id: z.int(),
        tokenId: z.int().nullable(),
        fairId: z.int().nullable(),
        parentId: z.int().nullable().describe('Id of the post that it replies to.'),
        text: z.string().describe('Text of the post. It is empty if the post is not shown.'),
      })
      .nullable()
      .describe('The post.'),
    moderation: z
      .object({
        act: z.string().describe('The decision, such as dismiss, hide, delete, release, warn, mute, suspend or undo.'),
        about: z.string().describe('The subject of the decision: post, token, name, picture or player.'),
        isReport: z.boolean().describe('true for a decision about your report, false for a decision about you.'),
      })
      .nullable(),
    order: z
      .object({
        kind: z.string(),
        state: z.string(),
        cause: z.string().nullable(),
        waitsAt: z.string().nullable().describe('Lowest price at which a triggered stop sells.'),
      })
      .nullable()
      .describe('The waiting order.'),
    rematchId: z.int().nullable().describe('Fair id.'),
    quest: z.string().nullable().describe('The quest.'),
    windowEnd: z.iso.datetime().nullable().describe('End of the giveaway window in which you got `rank`.'),
    fair: z
      .object({ id: fairId, name: z.string() })
      .nullable()
      .describe('The fair that has started or ended, or in whose lobby the post is.'),
  })
  .meta({ id: 'News' })

export const noticeList = z
  .object({
    notices: z.array(notice).describe(`The last ${NOTICES_MAX} notices, newest first.`),
    unread: z.int(),
    news: z.array(news).describe(`Notices of newer types, newest first. With \`notices\`, at most ${NOTICES_MAX}.`),
    unreadNews: z.int().describe('Number of unread notices in `news`.'),
  })
  .meta({ id: 'NoticeList' })

export const markReadInput = z.object({
  ids: z
    .array(noticeId)
    .min(1, 'must name one to a hundred notices')
    .max(NOTICES_MAX, 'must name one to a hundred notices')
    .describe('Ids of the notices to mark as read.'),
})

export const noticeSettings = z
  .object({
    muted: z.array(z.enum(NOTICE_KINDS)).describe('Types of notices that you turned off.'),
    mutedNews: z.array(z.enum(NEWS_KINDS)).describe('Types of news that you turned off.'),
    reminderHour: z.int().nullable().describe('UTC hour of your daily reminder, or null for none.'),
    reminderByMail: z.boolean().describe('Whether the reminder is also emailed to your verified address.'),
  })
  .meta({ id: 'NoticeSettings' })

export const noticeSettingsInput = z.object({
  muted: z
    .array(z.enum(NOTICE_KINDS, 'must be kinds of notices'))
    .max(NOTICE_KINDS.length, 'must name each kind once')
    .transform((kinds) => [...new Set(kinds)].sort())
    .describe('Types of notices to turn off.'),
  mutedNews: z
    .array(z.enum(NEWS_KINDS, 'must be kinds of news'))
    .max(NEWS_KINDS.length, 'must name each kind once')
    .transform((kinds) => [...new Set(kinds)].sort())
    .optional()
    .describe('Types of news to turn off. If omitted, the types do not change.'),
  reminderHour: z
    .int('must be a whole number')
    .min(0, 'must be 0 to 23')
    .max(23, 'must be 0 to 23')
    .nullish()
    .describe('UTC hour of your daily reminder, or null for none. If omitted, it does not change.'),
  reminderByMail: z
    .boolean()
    .optional()
    .describe('Whether to also email the reminder. If omitted, it does not change.'),
})

export const noticeFeedInput = z.object({
  lastEventId: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of a notice')
    .nullish()
    .describe('The id of the last notice received. Sends later ones first.'),
  news: z.boolean().optional().describe('Whether to send news, too.'),
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
    summary: 'Lists your notices.',
    example: { response: { notices: [NOTICE], unread: 1, news: [], unreadNews: 0 } },
  }),
  /** Sends the player's new notices, and resumes after the last id that the client received. */
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
    summary: 'Marks notices as read, and returns the number of unread notices.',
    example: { input: { ids: [12] }, response: { unread: 0 } },
  }),
  settings: query({
    apiKey: 'never',
    output: noticeSettings,
    rest: 'GET /api/notices/settings',
    operationId: 'getNoticeSettings',
    summary: 'Returns the types of notices that you turned off.',
    example: { response: { muted: ['whale'], mutedNews: [], reminderHour: null, reminderByMail: false } },
  }),
  setSettings: mutation({
    whenSuspended: 'allowed',
    input: noticeSettingsInput,
    output: noticeSettings,
    rest: 'PUT /api/notices/settings',
    operationId: 'setNoticeSettings',
    summary: 'Sets which types of notices are turned off.',
    example: {
      input: { muted: ['whale'], reminderHour: 18 },
      response: { muted: ['whale'], mutedNews: [], reminderHour: 18, reminderByMail: false },
    },
  }),
}
