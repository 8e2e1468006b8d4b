import { z } from 'zod'
import { lastEventId } from './cursors.ts'
import { CREATOR, CURRENT_PRICE, DONE, TRADED_AT } from './example-market.ts'
import { fairId, tokenId, userId } from './ids.ts'
import { type Post, post, postEvent, postId, REACTIONS } from './posts.ts'
import { mutation, query, subscription } from './procedure.ts'
import { decimal, NEXT_PAGE, ok } from './shapes.ts'
import { talkText } from './text.ts'

export const POST_MAX = 280
export const MENTIONS_MAX = 5
/** How long an author can edit a post, in ms. */
export const EDIT_MS = 60_000
/** How long players can vote about a rugged token's creator, in ms. */
export const COURT_MS = 3_600_000
export const TESTIMONY_MAX = 140
/**
 * Min number of voters for a verdict. The number makes it hard for one person to decide, because every voter's account
 * must be a day old and have lost SOL.
 */
export const VOTERS_MIN = 5
/** Max SOL of a loss that counts as votes. Without this limit, one player could buy a verdict alone. */
export const VOTE_MAX_SOL = 5
export const VERDICTS = ['fair game', 'scoundrel'] as const
export type Verdict = (typeof VERDICTS)[number]
const PAGE_MAX = 100

/** The topic of posts: exactly one of the two ids. */
const topic = {
  tokenId: tokenId.optional(),
  fairId: fairId.optional().describe('Id of the fair in whose lobby to post. Send either fairId or tokenId.'),
}
const isOneTopic = (input: { tokenId?: unknown; fairId?: unknown }) =>
  (input.tokenId === undefined) !== (input.fairId === undefined)
const ONE_TOPIC = { message: 'is required unless fairId is given', path: ['tokenId'] }

const page = {
  limit: z.int().min(1).max(PAGE_MAX).default(30),
  cursor: postId.optional().describe(NEXT_PAGE),
}
const posts = z.array(post)

export const talkListInput = z.object({ ...topic, ...page }).refine(isOneTopic, ONE_TOPIC)
export type TalkListInput = z.output<typeof talkListInput>
export const threadInput = z.object({ id: postId, ...page })
export type ThreadInput = z.output<typeof threadInput>
export const postsPage = z.object({ posts, nextCursor: postId.nullable() })
export type PostsPage = z.output<typeof postsPage>

const words = talkText(POST_MAX).describe(`Text of the post: 1 to ${POST_MAX} characters.`)
const mentions = z
  .array(userId)
  .max(MENTIONS_MAX, `must be at most ${MENTIONS_MAX} players`)
  .default([])
  .transform((ids) => [...new Set(ids)])
  .describe('Ids of mentioned players. The server adds players that the text names after an @.')

export const writeInput = z
  .object({
    ...topic,
    parentId: postId.optional().describe('Id of the post that this post replies to.'),
    text: words,
    mentions,
  })
  .refine(isOneTopic, ONE_TOPIC)
export type WriteInput = z.output<typeof writeInput>
export const editInput = z.object({ id: postId, text: words, mentions })
export type EditInput = z.output<typeof editInput>
export const reactInput = z.object({
  id: postId,
  reaction: z
    .enum(REACTIONS, { error: `must be one of ${REACTIONS.join(', ')}` })
    .nullable()
    .describe('Null removes your reaction.'),
})
export type ReactInput = z.output<typeof reactInput>

export const hostActInput = z.object({
  id: postId,
  act: z
    .enum(['hide', 'restore', 'mute'], { error: 'must be hide, restore or mute' })
    .describe('The action against the post or its writer. A mute lasts a day.'),
  reason: talkText(POST_MAX).describe('Reason shown to the player.'),
})
export type HostActInput = z.output<typeof hostActInput>

export const talkWatchInput = z.object({ ...topic, lastEventId }).refine(isOneTopic, ONE_TOPIC)

export const byToken = z.object({ id: tokenId })
export const court = z
  .object({
    endsAt: z.iso.datetime(),
    voters: z.int(),
    fairGame: decimal,
    scoundrel: decimal,
    verdict: z
      .enum(VERDICTS)
      .nullable()
      .describe(`The verdict, or null before the end, after a tie, or with fewer than ${VOTERS_MIN} voters.`),
    lost: decimal.nullable(),
    canVote: z.boolean(),
    vote: z.enum(VERDICTS).nullable().describe('Your vote, or null if you have not voted.'),
  })
  .meta({ id: 'Court' })
export type Court = z.output<typeof court>
export const voteInput = byToken.extend({
  verdict: z.enum(VERDICTS, { error: `must be one of ${VERDICTS.join(', ')}` }),
})
export type VoteInput = z.output<typeof voteInput>
const EXAMPLE_COURT: z.input<typeof court> = {
  endsAt: TRADED_AT,
  voters: 1,
  fairGame: '0',
  scoundrel: '2',
  verdict: null,
  lost: '2',
  canVote: true,
  vote: 'scoundrel',
}

export const EXAMPLE_POST: z.input<typeof post> = {
  id: 12,
  tokenId: 7,
  fairId: null,
  parentId: null,
  writer: { ...CREATOR, isCreator: true, share: '3.19', medals: { gold: 1, silver: 0, bronze: 0 } },
  text: 'To the moon, and back before breakfast',
  mentions: [],
  price: CURRENT_PRICE,
  seq: 1,
  state: 'shown',
  replies: 0,
  reactions: { moon: 2 },
  reaction: null,
  createdAt: TRADED_AT,
  editedAt: null,
}
const WRITE_ERRORS = ['POST_REFUSED', 'MUTED', 'BLOCKED', 'TALK_CLOSED', 'POST_NOT_FOUND'] as const

export const talkProcedures = {
  list: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: talkListInput,
    output: postsPage,
    rest: 'GET /api/talk',
    operationId: 'listPosts',
    list: 'posts',
    summary: 'Lists posts about a token or in a fair’s lobby, newest first, without replies.',
    errors: ['TOKEN_NOT_FOUND', 'FAIR_NOT_FOUND'],
    example: { input: { tokenId: 7 }, response: [EXAMPLE_POST] },
  }),
  thread: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: threadInput,
    output: postsPage,
    rest: 'GET /api/talk/{id}/replies',
    operationId: 'listReplies',
    list: 'posts',
    summary: 'Lists the replies to a post, oldest first.',
    errors: ['POST_NOT_FOUND'],
    example: { input: { id: 12 }, response: [EXAMPLE_POST] },
  }),
  write: mutation({
    apiKey: 'talk',
    limit: 'talk',
    input: writeInput,
    output: post,
    rest: 'POST /api/talk',
    operationId: 'writePost',
    status: 201,
    summary: 'Writes a post or a reply.',
    errors: ['TOKEN_NOT_FOUND', 'FAIR_NOT_FOUND', ...WRITE_ERRORS],
    example: { input: { tokenId: 7, text: EXAMPLE_POST.text }, response: EXAMPLE_POST },
  }),
  edit: mutation({
    limit: 'talk',
    input: editInput,
    output: post,
    rest: 'PUT /api/talk/{id}',
    operationId: 'editPost',
    summary: 'Edits your post, within a minute after you wrote it.',
    errors: ['NOT_YOURS', 'EDIT_TOO_LATE', ...WRITE_ERRORS],
    example: { input: { id: 12, text: EXAMPLE_POST.text }, response: EXAMPLE_POST },
  }),
  delete: mutation({
    apiKey: 'talk',
    whenSuspended: 'allowed',
    input: z.object({ id: postId }),
    output: ok,
    rest: 'DELETE /api/talk/{id}',
    operationId: 'deletePost',
    summary: 'Deletes your post.',
    errors: ['NOT_YOURS', 'POST_NOT_FOUND'],
    example: { input: { id: 12 }, response: DONE },
  }),
  react: mutation({
    input: reactInput,
    output: post,
    rest: 'PUT /api/talk/{id}/reaction',
    operationId: 'reactToPost',
    summary: 'Sets or removes your reaction to a post.',
    errors: ['BLOCKED', 'POST_NOT_FOUND'],
    example: { input: { id: 12, reaction: 'moon' }, response: { ...EXAMPLE_POST, reaction: 'moon' } },
  }),
  moderate: mutation({
    limit: 'talk-report',
    input: hostActInput,
    output: ok,
    rest: 'POST /api/talk/{id}/acts',
    operationId: 'moderatePost',
    summary: 'Hides or restores a post in your room, or mutes its writer for a day.',
    errors: ['NOT_YOURS', 'POST_NOT_FOUND'],
    example: { input: { id: 12, act: 'hide', reason: 'Not in my room' }, response: DONE },
  }),
  court: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: byToken,
    output: court,
    rest: 'GET /api/tokens/{id}/court',
    operationId: 'getCourt',
    summary: 'Returns the votes on a rugged token’s creator.',
    errors: ['NOT_FOUND', 'TOKEN_NOT_FOUND'],
    example: { input: { id: 7 }, response: EXAMPLE_COURT },
  }),
  vote: mutation({
    input: voteInput,
    output: court,
    rest: 'PUT /api/tokens/{id}/court/vote',
    operationId: 'voteInCourt',
    summary: 'Votes on a rugged token’s creator.',
    errors: ['NOT_FOUND', 'TOKEN_NOT_FOUND', 'POST_REFUSED', 'TALK_CLOSED'],
    example: { input: { id: 7, verdict: 'scoundrel' }, response: EXAMPLE_COURT },
  }),
  /** Sends posts about one token or in one lobby when they are published or changed. */
  watch: subscription({ access: 'guestOrPlayer', apiKey: 'market', input: talkWatchInput, output: postEvent }),
}

export type { Post }
