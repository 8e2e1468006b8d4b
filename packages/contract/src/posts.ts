import { z } from 'zod'
import { positiveId, tokenId, userId } from './ids.ts'
import { decimal, player } from './shapes.ts'

export const REACTIONS = ['moon', 'fire', 'laugh', 'heart', 'eyes', 'skull'] as const
export type Reaction = (typeof REACTIONS)[number]

export const postId = positiveId.brand<'PostId'>()
export type PostId = z.output<typeof postId>

/** Who wrote a post, and what the books say of them now. */
export const writer = z
  .object({
    ...player,
    isCreator: z.boolean().describe('Of the token.'),
    share: decimal.nullable().describe('Percent of the supply that they hold; null: they never held the token.'),
    medals: z.object({ gold: z.int(), silver: z.int(), bronze: z.int() }),
  })
  .meta({ id: 'Writer' })

export const post = z
  .object({
    id: postId,
    tokenId: tokenId.nullable().describe('Null: it is in a fair’s lobby.'),
    fairId: z.int().nullable().describe('Of a lobby.'),
    parentId: postId.nullable().describe('The post that it answers.'),
    writer,
    text: z.string().describe('Plain text by a player; untrusted. Empty unless it is shown.'),
    mentions: z.array(z.object({ id: userId, username: z.string() })),
    price: decimal.nullable().describe('SOL, when it was written.'),
    seq: z.int().nullable().describe('Number of the token’s last trade by then.'),
    state: z.enum(['shown', 'held', 'hidden', 'deleted']).describe('held: it waits for a moderator.'),
    replies: z.int().describe('How many answers are shown.'),
    reactions: z.record(z.string(), z.int()).describe('How many of each kind.'),
    reaction: z.enum(REACTIONS).nullable().describe('One’s own.'),
    createdAt: z.iso.datetime(),
    editedAt: z.iso.datetime().nullable(),
    lost: decimal.optional(),
  })
  .meta({ id: 'Post' })
export type Post = z.output<typeof post>

/** A post was shown, or has changed: it is as it says now. */
export const postEvent = z
  .object({
    type: z.literal('post'),
    tokenId,
    kind: z.enum(['shown', 'changed']),
    post,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'PostEvent' })
/** Within the server, a lobby's token is minus its fair. */
export type PostEvent = z.output<typeof postEvent>
