import { contract } from '@papermoon/contract'
import type { Post, PostId } from '@papermoon/contract/posts'
import { EDIT_MS, MENTIONS_MAX, type WriteInput } from '@papermoon/contract/talk'
import type { Db, Tx } from '@papermoon/db'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { BadInputError } from '../../errors.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { implement } from '../../trpc.ts'
import { type Bounds, findMute, getInForce, lockPlayer, openCase } from '../moderation/public.ts'
import { hasForeignLink, hasHeldWord, isNear, isShort, toSkeleton } from './check-post.ts'
import { assertTestimony, takeTestimony } from './court.ts'
import {
  BlockedError,
  EditTooLateError,
  MutedError,
  NotYourPostError,
  PostNotFoundError,
  PostRefusedError,
} from './errors.ts'
import { hasBlocked, openPost, openTopic, type Topic } from './open-topic.ts'
import { changeState, countReply, notifyOfPost, publishPost } from './publish-post.ts'
import { toPost } from './read-posts.ts'

const NAME_MAX = 32

const AT = /(?<![\p{L}\p{N}])@/gu

/** Matches a position at which a name can end. Such a position is not inside a word. */
const END = /(?<![\p{L}\p{N}](?=[\p{L}\p{N}]))(?!^)/gu

interface Words {
  readonly text: string
  readonly mentions: readonly UserId[]
}

/** The parts of the context that the functions in this file need. */
export type PlayerCall = Pick<Context, 'app' | 'ip' | 'header'> & { readonly userId: UserId }

/**
 * Writes a post or a reply. Throws the errors of `judge` and `takeTestimony`, and `BlockedError`, `PostNotFoundError`
 * and `RateLimitedError`.
 */
export async function writePost(call: PlayerCall, input: WriteInput): Promise<Post> {
  const { userId } = call
  const topic = await openTopic(call.app, userId, input)
  const createdAt = await findAccountAge(call)
  const now = call.app.platform.clock.now()
  const id = await topic.app.platform.db.transaction().execute(async (tx) => {
    // Lock the player's row, because two concurrent posts with the same text could otherwise both count as the first.
    // Also reject a deleted account, because nothing would ever erase a post after the deletion.
    if (!(await lockPlayer(tx, userId))) throw new NotSignedInError()
    const market = await readMarket(tx, topic)
    const isRugged = market.rugged_at !== null
    const lost = isRugged ? await takeTestimony(tx, { topic, userId, now, ...input }) : null
    const parentUserId = input.parentId === undefined ? null : await findParentWriter(tx, topic, input.parentId)
    await assertMayName(tx, userId, [...input.mentions, ...(parentUserId === null ? [] : [parentUserId])])
    await assertPlayers(tx, input.mentions)
    const heldFor = await judge(tx, { ...toJudged(call, topic, input), accountCreatedAt: createdAt, now })
    const mentions = await addTypedNames(tx, userId, input)
    return await insertPost(tx, { topic, userId, input: { ...input, mentions }, heldFor, market, lost, now })
  })
  return toPost(await publishPost(topic.app, id), userId)
}

export const write = implement(contract.talk.write, ({ ctx, input }) => writePost(ctx, input))

/**
 * Edits the player's own post within a minute. The same checks apply, but an edit never puts the post on hold, because
 * moderators must decide about the text that they saw. Throws `EditTooLateError`, `PostRefusedError` and the errors of
 * `writePost`.
 */
export const editPost = implement(contract.talk.edit, async ({ ctx: call, input: { id, text, mentions } }) => {
  const { app, userId } = call
  const { topic, row } = await openPost(app, userId, id)
  if (row.user_id !== userId) throw new NotYourPostError()
  const now = app.platform.clock.now()
  if (now.getTime() - row.created_at.getTime() > EDIT_MS) throw new EditTooLateError()
  if (row.state === 'hidden') throw new PostRefusedError('A moderator has hidden this post.')
  if (row.state === 'held')
    throw new PostRefusedError('A moderator is checking this post. To change it, delete it and write a new one.')
  const createdAt = await findAccountAge(call)
  await topic.app.platform.db.transaction().execute(async (tx) => {
    if (!(await lockPlayer(tx, userId))) throw new NotSignedInError()
    const { rugged_at } = await readMarket(tx, topic)
    if (rugged_at !== null) assertTestimony({ text, now, ruggedAt: rugged_at, writtenAt: row.created_at })
    await assertMayName(tx, userId, mentions)
    await assertPlayers(tx, mentions)
    const judged = { ...toJudged(call, topic, { text }), accountCreatedAt: createdAt, now, editedId: id }
    if ((await judge(tx, judged)) !== null)
      throw new PostRefusedError('A moderator would have to check this text, so the edit was not saved.')
    const { rows } = await sql`
      update posts set text = ${text}, mentions = ${await addTypedNames(tx, userId, { text, mentions })}::int[], skeleton = ${toSkeleton(text)},
             edited_at = ${now}, changed_position = case when position is not null then -id end
       where id = ${id} and state = 'shown' returning id`.execute(tx)
    if (rows.length === 0) throw new PostNotFoundError()
    const named = (row.named ?? []).map((player) => player.id)
    await notifyOfPost(tx, id, named)
  })
  return toPost(await publishPost(topic.app, id), userId)
})

/** Deletes the player's own post. If the post has replies, an empty post remains. */
export const deletePost = implement(contract.talk.delete, async ({ ctx: { app, userId }, input: { id } }) => {
  const { topic, row } = await openPost(app, userId, id, true)
  if (row.user_id !== userId) {
    if (row.state !== 'shown') throw new PostNotFoundError()
    throw new NotYourPostError()
  }
  await topic.app.platform.db.transaction().execute(async (tx) => {
    await changeState(tx, row, 'deleted')
  })
  await publishPost(topic.app, id)
  return { ok: true } as const
})

function toJudged({ app, userId }: PlayerCall, { fairId }: Topic, { text }: Pick<Words, 'text'>) {
  const { publicUrl } = app.platform.config
  const ownHost = publicUrl === null ? null : new URL(publicUrl).host
  return { userId, text, fairId, ownHost, bounds: getInForce(app).bounds }
}

/** Returns the time at which the account was created. Posts of new accounts also count against a stricter limit. */
async function findAccountAge(call: PlayerCall): Promise<Date> {
  const { app, userId } = call
  const { created_at } = await app.platform.db
    .selectFrom('users')
    .select('created_at')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { bounds } = getInForce(app)
  if (isNewAccount({ accountCreatedAt: created_at, bounds, now: app.platform.clock.now() })) {
    await app.accounts.limits.spendAccount(call, 'talk-new', userId)
  }
  return created_at
}

interface MarketThen {
  readonly price: string | null
  readonly seq: number | null
  readonly rugged_at: Date | null
}

/** Reads the token's price at the time of the post. */
async function readMarket(tx: Db, { id }: Topic): Promise<MarketThen> {
  if (id < 0) return { price: null, seq: null, rugged_at: null }
  return await tx
    .selectFrom('pools')
    .select(['price', 'seq', 'rugged_at'])
    .where('token_id', '=', id)
    .executeTakeFirstOrThrow()
}

async function findParentWriter(tx: Db, { id }: Topic, parentId: PostId): Promise<number> {
  const parent = await tx
    .selectFrom('posts')
    .select('user_id')
    .where('id', '=', parentId)
    .where('topic', '=', id)
    .where('parent_id', 'is', null)
    .where('state', '=', 'shown')
    .executeTakeFirst()
  if (parent === undefined) throw new PostNotFoundError()
  return parent.user_id
}

async function assertMayName(tx: Db, userId: UserId, others: readonly number[]): Promise<void> {
  if (await hasBlocked(tx, userId, others)) throw new BlockedError()
}

async function assertPlayers(tx: Db, ids: readonly UserId[]): Promise<void> {
  if (ids.length === 0) return
  const found = await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .execute()
  if (found.length < ids.length) throw new BadInputError('mentions must be ids of players.')
}

interface NewPost {
  readonly topic: Topic
  readonly userId: UserId
  readonly input: WriteInput
  readonly heldFor: string | null
  readonly market: MarketThen
  readonly lost: string | null
  readonly now: Date
}

async function insertPost(tx: Tx, { topic, userId, input, heldFor, market, lost, now }: NewPost): Promise<number> {
  const { text, mentions, parentId = null } = input
  const isShown = heldFor === null
  const { rows } = await sql<{ id: number }>`
    insert into posts (topic, parent_id, user_id, text, mentions, price, seq, state, skeleton, created_at, lost)
    values (${topic.id}, ${parentId}, ${userId}, ${text}, ${[...mentions]}::int[], ${market.price}, ${market.seq},
      ${isShown ? 'shown' : 'held'}, ${toSkeleton(text)}, ${now}, ${lost})
    returning id`.execute(tx)
  const id = rows[0]?.id ?? 0
  if (heldFor !== null) {
    const thing = { kind: 'post', targetId: id, accusedId: userId, fairId: topic.fairId } as const
    await openCase(tx, { ...thing, words: text, heldFor, now })
  } else {
    if (parentId !== null) await countReply(tx, parentId, 1)
    await notifyOfPost(tx, id)
  }
  return id
}

/**
 * Returns the players whom a text mentions: first the given players, then players whose names follow an @. Leaves out a
 * player if one of the two has blocked the other.
 */
async function addTypedNames(tx: Tx, userId: UserId, { text, mentions }: Words): Promise<UserId[]> {
  const typed = [...text.matchAll(AT)].slice(0, 2 * MENTIONS_MAX).map(({ index }) => listNames(text.slice(index + 1)))
  if (typed.length === 0) return [...mentions]
  const { rows } = await sql<{ id: UserId; name: string }>`
    select id, lower(username) as name from users u
     where lower(username) collate "C" = any(${typed.flat()}::text[]) and deleted_at is null
       and not exists (select from blocks b where b.user_id in (u.id, ${userId}) and b.blocked_user_id in (u.id, ${userId}))`.execute(
    tx,
  )
  const found = new Map(rows.map(({ id, name }) => [name, id]))
  const added = typed.flatMap((names) => found.get(names.find((name) => found.has(name)) ?? '') ?? [])
  return [...new Set([...mentions, ...added])].slice(0, MENTIONS_MAX)
}

/** Returns, in lower case, the beginnings of a text that may be names, longest first. */
function listNames(text: string): string[] {
  const start = text.slice(0, NAME_MAX + 1).toLowerCase()
  const ends = [...start.matchAll(END)].map(({ index }) => index).filter((end) => end <= NAME_MAX)
  return ends.reverse().map((end) => start.slice(0, end))
}

/** Max number of earlier posts that a post is compared with. */
const COMPARED_MAX = 20

interface Judged {
  readonly userId: UserId
  readonly text: string
  readonly fairId: number | null
  readonly accountCreatedAt: Date
  readonly ownHost: string | null
  readonly bounds: Bounds
  readonly now: Date
  /** Id of the post if the writer is editing it. */
  readonly editedId?: number
}

function isNewAccount({ accountCreatedAt, bounds, now }: Pick<Judged, 'accountCreatedAt' | 'bounds' | 'now'>) {
  return now.getTime() - accountCreatedAt.getTime() < bounds.newAccountHours * HOUR_MS
}

/**
 * Returns why a post is held for review. Returns null if the post is shown at once. Throws `PostRefusedError` and
 * `MutedError`.
 */
async function judge(tx: Tx, judged: Judged): Promise<string | null> {
  await assertNotMuted(tx, judged)
  const { text, ownHost } = judged
  if (await isRepeat(tx, judged)) return 'near-repeat'
  if (!isShort(text) && (await isChorus(tx, judged))) return 'chorus'
  const words = await tx.selectFrom('held_words').select('word').execute()
  const list = words.map(({ word }) => word)
  if (hasHeldWord(text, list)) return 'word'
  if (isNewAccount(judged) && hasForeignLink(text, ownHost)) return 'link'
  return null
}

async function assertNotMuted(tx: Tx, { userId, fairId, now }: Judged): Promise<void> {
  const until = await findMute(tx, { userId, fairIds: [0, fairId ?? 0], now })
  if (until !== null) throw new MutedError(until)
}

/**
 * Returns whether a post is similar to the writer's own posts of the last hour. Throws `PostRefusedError` if one of
 * these texts is the same.
 */
async function isRepeat(tx: Tx, { userId, text, now, editedId = 0 }: Judged): Promise<boolean> {
  const skeleton = toSkeleton(text)
  // Allow a short text again after an hour, because many players write the same short texts.
  const repeatedSince = now.getTime() - (isShort(text) ? HOUR_MS : DAY_MS)
  const own = await tx
    .selectFrom('posts')
    .select(['text', 'skeleton', 'created_at'])
    .where('user_id', '=', userId)
    .where('id', '<>', editedId)
    .where('created_at', '>', new Date(now.getTime() - DAY_MS))
    .orderBy('created_at', 'desc')
    .limit(COMPARED_MAX)
    .execute()
  if (own.some((post) => post.skeleton === skeleton && post.created_at.getTime() > repeatedSince)) {
    throw new PostRefusedError('You have said this already.')
  }
  return own.some((post) => now.getTime() - post.created_at.getTime() < HOUR_MS && isNear(post.text, text))
}

async function isChorus(tx: Tx, { userId, text, bounds, now }: Judged): Promise<boolean> {
  const { rows } = await sql<{ others: number }>`
    select count(distinct user_id)::int as others from posts
     where skeleton = ${toSkeleton(text)} and created_at > ${new Date(now.getTime() - HOUR_MS)}
       and user_id <> ${userId}`.execute(tx)
  return (rows[0]?.others ?? 0) >= bounds.sameWords
}
