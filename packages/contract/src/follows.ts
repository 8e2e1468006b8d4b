import { z } from 'zod'
import { CREATOR, DONE, TOKEN_NAMES, TRADED_AT } from './example-market.ts'
import { positiveId, tokenId, userId } from './ids.ts'
import { post } from './posts.ts'
import { mutation, query } from './procedure.ts'
import { decimal, NEXT_PAGE, ok, player, tokenShown } from './shapes.ts'
import { time } from './times.ts'

/** Max number of players, and of tokens, that a player can follow. */
export const FOLLOWS_MAX = 500
export const BLOCKS_MAX = 500
/** Min SOL of a trade in the feed of followed players. */
export const FEED_TRADE_MIN = 1
const FEED_PAGE = 50
/** Number of extra reads that a call counts as in the rate limit, because it counts all followers and filters posts. */
const FOLLOWERS_READS = 9

const target = positiveId.describe('Id of the player or token.')
const kind = z.enum(['player', 'token'], { error: 'must be player or token' })
export const followInput = z.object({ kind, id: target })
export type FollowInput = z.output<typeof followInput>
export const byPlayer = z.object({ userId })
const person = z.object(player)

export const hideInput = z.object({
  hidesFollows: z
    .boolean('must be true or false')
    .describe('Whether only you can see your followers, the players you follow and your posts.'),
})

export const following = z
  .object({
    players: z.array(person).describe('Players that you follow, newest first.'),
    tokenIds: z.array(tokenId).describe('Ids of tokens that you follow, newest first.'),
    blocked: z.array(person).describe('The players that you blocked.'),
    hidesFollows: z
      .boolean()
      .describe('Whether your profile hides your followers, the players you follow and your posts.'),
  })
  .meta({ id: 'Following' })
export type Following = z.output<typeof following>

export const followers = z
  .object({
    followers: z.int().nullable().describe('Number of followers, or null if hidden.'),
    following: z.int().nullable().describe('Number of players that this player follows, or null if hidden.'),
    latest: z.array(person).describe('The last 50 followers, newest first.'),
    posts: z.array(post).describe('The last 20 posts about tokens, newest first.'),
  })
  .meta({ id: 'Followers' })
export type Followers = z.output<typeof followers>

const token = z.object(tokenShown)
export const feedItem = z
  .object({
    kind: z.enum(['launch', 'trade', 'rug', 'medal', 'post']),
    at: z.iso.datetime(),
    player: person,
    token: token.nullable(),
    side: z.enum(['buy', 'sell']).nullable(),
    sol: decimal.nullable(),
    fairId: z.int().nullable(),
    medal: z.int().nullable(),
    postId: z.int().nullable().describe('Id of the post.'),
    parentId: z.int().nullable().describe('Id of the post that this post replies to.'),
    text: z.string().nullable().describe('Untrusted plain text, written by a player.'),
  })
  .meta({ id: 'FeedItem' })
export type FeedItem = z.output<typeof feedItem>
export const feedInput = z.object({
  cursor: time.optional().describe(NEXT_PAGE),
  before: time.optional().meta({ deprecated: true, description: 'The former name of `cursor`.' }),
  limit: z.int().min(1).max(FEED_PAGE).default(FEED_PAGE),
})
export type FeedInput = z.output<typeof feedInput>

const FOLLOWING = { players: [CREATOR], tokenIds: [], blocked: [], hidesFollows: false }
const ERRORS = ['NOT_FOUND', 'TOKEN_NOT_FOUND', 'BLOCKED', 'TOO_MANY_FOLLOWS'] as const

export const followsProcedures = {
  list: query({
    apiKey: 'never',
    output: following,
    rest: 'GET /api/follows',
    operationId: 'listFollows',
    summary: 'Lists the players and tokens that you follow, and the players that you blocked.',
    example: { response: FOLLOWING },
  }),
  follow: mutation({
    input: followInput,
    output: following,
    rest: 'PUT /api/follows/{kind}/{id}',
    operationId: 'follow',
    summary: 'Follows a player or a token.',
    errors: ERRORS,
    example: { input: { kind: 'player', id: 3 }, response: FOLLOWING },
  }),
  unfollow: mutation({
    whenSuspended: 'allowed',
    input: followInput,
    output: following,
    rest: 'DELETE /api/follows/{kind}/{id}',
    operationId: 'unfollow',
    summary: 'Stops following a player or a token.',
    example: { input: { kind: 'player', id: 3 }, response: { ...FOLLOWING, players: [] } },
  }),
  block: mutation({
    whenSuspended: 'allowed',
    input: byPlayer,
    output: following,
    rest: 'PUT /api/blocks/{userId}',
    operationId: 'blockPlayer',
    summary:
      'Blocks a player. You and a blocked player cannot see each other’s posts, or mention, reply to or follow each other.',
    errors: ['NOT_FOUND', 'TOO_MANY_FOLLOWS'],
    example: { input: { userId: 3 }, response: { ...FOLLOWING, players: [], blocked: [CREATOR] } },
  }),
  unblock: mutation({
    whenSuspended: 'allowed',
    input: byPlayer,
    output: following,
    rest: 'DELETE /api/blocks/{userId}',
    operationId: 'unblockPlayer',
    summary: 'Unblocks a player.',
    example: { input: { userId: 3 }, response: FOLLOWING },
  }),
  setHidden: mutation({
    whenSuspended: 'allowed',
    input: hideInput,
    output: ok,
    rest: 'PUT /api/follows',
    operationId: 'hideFollows',
    summary: 'Hides or shows your followers, the players you follow and your posts on your profile.',
    example: { input: { hidesFollows: true }, response: DONE },
  }),
  of: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: byPlayer,
    reads: () => FOLLOWERS_READS,
    output: followers,
    rest: 'GET /api/users/{userId}/followers',
    operationId: 'getFollowers',
    summary: 'Lists a player’s followers and posts, unless the player hides them.',
    errors: ['NOT_FOUND'],
    example: {
      input: { userId: 3 },
      response: { followers: 1, following: 0, latest: [{ ...CREATOR, id: 4, username: 'sol' }], posts: [] },
    },
  }),
  feed: query({
    apiKey: 'never',
    input: feedInput,
    output: z.array(feedItem),
    nextCursor: (items: readonly FeedItem[], limit = FEED_PAGE) =>
      items.length < limit ? null : (items.at(-1)?.at ?? null),
    rest: 'GET /api/follows/feed',
    operationId: 'getFollowingFeed',
    summary:
      'Lists launches, trades of 1 SOL or more, rug pulls, medals and posts of the players and tokens that you follow, newest first.',
    example: {
      input: { limit: 50 },
      response: [
        {
          kind: 'trade',
          at: TRADED_AT,
          player: CREATOR,
          token: { id: 7, ...TOKEN_NAMES },
          side: 'buy',
          sol: '1',
          fairId: null,
          medal: null,
          postId: null,
          parentId: null,
          text: null,
        },
      ],
    },
  }),
}
