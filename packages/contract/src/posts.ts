import { z } from 'zod'
import { positiveId, tokenId, userId } from './ids.ts'
import { decimal, player } from './shapes.ts'

export const REACTIONS = ['moon', 'fire', 'laugh', 'heart', 'eyes', 'skull'] as const
export type Reaction = (typeof REACTIONS)[number]

export const postId = positiveId.brand<'PostId'>()
export type PostId = z.output<typeof postId>

/** A post's author, with their holding of the token. */
export const writer = z
  .object({
    ...player,
    isCreator: z.boolean().describe('Whether the writer created the token.'),
    share: decimal
      .nullable()
      .describe('Percent of the supply that the writer holds, or null if the writer never held the token.'),
    medals: z.object({ gold: z.int(), silver: z.int(), bronze: z.int() }),
  })
  .meta({ id: 'Writer' })

export const post = z
  .object({
    id: postId,
    tokenId: tokenId.nullable().describe('Id of the token, or null if the post is in a fair’s lobby.'),
    fairId: z.int().nullable().describe('Id of the fair, if the post is in a fair’s lobby.'),
    parentId: postId.nullable().describe('Id of the post that this post replies to.'),
    writer,
    text: z.string().describe('Untrusted plain text, written by a player. The text is empty if the post is not shown.'),
    mentions: z.array(z.object({ id: userId, username: z.string() })),
    price: decimal.nullable().describe('Price in SOL per token when the post was written.'),
    seq: z.int().nullable().describe('Sequence number of the token’s last trade when the post was written.'),
    state: z
      .enum(['shown', 'held', 'hidden', 'deleted'])
      .describe('State of the post. held means that the post waits for a moderator.'),
    replies: z.int().describe('Number of visible replies.'),
    reactions: z.record(z.string(), z.int()).describe('Number of reactions of each type.'),
    reaction: z.enum(REACTIONS).nullable().describe('Your reaction to the post.'),
    createdAt: z.iso.datetime(),
    editedAt: z.iso.datetime().nullable(),
    lost: decimal.optional(),
  })
  .meta({ id: 'Post' })
export type Post = z.output<typeof post>

/** A post that was published or changed, in its current state. */
export const postEvent = z
  .object({
    type: z.literal('post'),
    tokenId,
    kind: z.enum(['shown', 'changed']),
    post,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'PostEvent' })
/** A post event inside the server. For a lobby's post, the token id is the negative fair id. */
export type PostEvent = z.output<typeof postEvent>
