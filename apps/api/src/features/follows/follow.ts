import { BLOCKS_MAX, FOLLOWS_MAX, type Followers, type FollowInput, type Following } from '@papermoon/contract/follows'
import type { Db, Tx } from '@papermoon/db'
import { type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'
import { IS_BOT, tokenExists, visibleTokens } from '../../database/conditions.ts'
import { type JournalReader, journalQueue } from '../../database/journal-queue.ts'
import { ApiError, BadInputError, defineError } from '../../errors.ts'
import { lockUser } from '../account/public.ts'
import { lockPosition, notifyPlayers } from '../notices/public.ts'
import { BlockedError, hasBlocked, isNotBlocked, readPosts, toPost } from '../talk/public.ts'

class PlayerNotFoundError extends defineError('NOT_FOUND', 'There is no such player.') {}

class TooManyFollowsError extends ApiError {
  readonly code = 'TOO_MANY_FOLLOWS'
}

const LATEST = 50
const LATEST_POSTS = 20

interface PlayerRow {
  readonly id: UserId
  readonly username: string
  readonly isBot: boolean
}

export async function getFollowing({ platform: { db } }: App, userId: UserId): Promise<Following> {
  return await readFollowing(db, userId)
}

async function readFollowing(db: Db, userId: UserId): Promise<Following> {
  const players = await listPlayers(
    db,
    sql`follows f join users u on u.id = f.target_id where f.user_id = ${userId} and f.kind = 'player'
      order by f.created_at desc, u.id`,
  )
  const blocked = await listPlayers(
    db,
    sql`blocks b join users u on u.id = b.blocked_user_id where b.user_id = ${userId} order by b.created_at desc, u.id`,
  )
  const { rows } = await sql<{ id: TokenId }>`
    select t.id from follows f join ${visibleTokens} t on t.id = f.target_id
     where f.user_id = ${userId} and f.kind = 'token' order by f.created_at desc, t.id`.execute(db)
  const user = await db.selectFrom('users').select('hides_follows').where('id', '=', userId).executeTakeFirstOrThrow()
  return { players, tokenIds: rows.map(({ id }) => id), blocked, hidesFollows: user.hides_follows }
}

async function listPlayers(db: Db, from: RawBuilder<unknown>): Promise<PlayerRow[]> {
  const { rows } = await sql<PlayerRow>`select u.id, u.username, ${IS_BOT} as "isBot" from ${from}`.execute(db)
  return rows
}

/** Changes a player's lists and returns the new lists. Concurrent changes run one after another. */
async function change({ platform: { db } }: App, userId: UserId, apply: (tx: Tx) => Promise<void>): Promise<Following> {
  return await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    await apply(tx)
    return await readFollowing(tx, userId)
  })
}

/**
 * Follows a player or token. Throws `PlayerNotFoundError`, `TokenNotFoundError`, `BlockedError` and
 * `TooManyFollowsError`.
 */
export async function follow(app: App, userId: UserId, { kind, id }: FollowInput): Promise<Following> {
  return await change(app, userId, async (tx) => {
    if (kind === 'token') {
      if (!(await tokenExists(tx, id as TokenId))) throw new TokenNotFoundError()
    } else {
      await assertOther(tx, userId, id)
      await lockPair(tx, userId, id)
      if (await hasBlocked(tx, userId, [id])) throw new BlockedError()
    }
    if ((await countFollowed(tx, userId)) >= FOLLOWS_MAX) {
      throw new TooManyFollowsError(`You already follow ${FOLLOWS_MAX}. Please unfollow one first.`)
    }
    const { rows } = await sql`
      insert into follows (user_id, kind, target_id, created_at) values (${userId}, ${kind}, ${id}, ${app.platform.clock.now()})
      on conflict do nothing returning target_id`.execute(tx)
    if (kind === 'player' && rows.length > 0) await notifyOfFollower(tx, userId, id as UserId)
  })
}

/** Notifies a player of a new follower, unless the follower hides their list or is muted. */
async function notifyOfFollower(tx: Tx, actorId: UserId, userId: UserId): Promise<void> {
  const isSilent = sql`users u where id = ${actorId} and (hides_follows or exists (
    select from mutes where user_id = u.id and fair_id = 0 and until > now()))`
  if ((await countRows(tx, isSilent)) > 0) return
  await lockPosition(tx)
  const cause = {
    userId,
    actorId,
    kind: 'follower',
    key: `follower ${userId}`,
    tokenId: null,
    seq: null,
    detail: {},
  } as const
  await notifyPlayers(tx, [cause])
}

export async function unfollow(app: App, userId: UserId, { kind, id }: FollowInput): Promise<Following> {
  return await change(app, userId, async (tx) => {
    await sql`delete from follows where user_id = ${userId} and kind = ${kind} and target_id = ${id}`.execute(tx)
  })
}

/**
 * Blocks a player. Neither player follows the other afterwards. Throws `PlayerNotFoundError` and `TooManyFollowsError`.
 */
export async function block(app: App, userId: UserId, other: UserId): Promise<Following> {
  const following = await change(app, userId, async (tx) => {
    await assertOther(tx, userId, other)
    await lockPair(tx, userId, other)
    if ((await countRows(tx, sql`blocks where user_id = ${userId}`)) >= BLOCKS_MAX) {
      throw new TooManyFollowsError(`You already block ${BLOCKS_MAX} players. Please unblock one first.`)
    }
    await sql`
      insert into blocks (user_id, blocked_user_id, created_at) values (${userId}, ${other}, ${app.platform.clock.now()})
      on conflict do nothing`.execute(tx)
    await sql`
      delete from follows where kind = 'player'
        and ((user_id = ${userId} and target_id = ${other}) or (user_id = ${other} and target_id = ${userId}))`.execute(
      tx,
    )
  })
  await updateListeners(app)
  return following
}

export async function unblock(app: App, userId: UserId, other: UserId): Promise<Following> {
  const following = await change(app, userId, async (tx) => {
    await sql`delete from blocks where user_id = ${userId} and blocked_user_id = ${other}`.execute(tx)
  })
  await updateListeners(app)
  return following
}

/** Updates this node's open pages at once. Other nodes update their pages at the next poll of the journal. */
async function updateListeners({ market, live, platform }: App): Promise<void> {
  const reads = [live, market.fairs?.live].map((of) => of?.stream.readBlocks())
  await Promise.all(reads).catch((error: unknown) => platform.log.warn({ err: error }, 'blocks could not be read'))
}

/** Locks a pair of players, so that a block and a follow run one after the other. */
async function lockPair(tx: Tx, userId: UserId, other: number): Promise<void> {
  const pair = `follows ${Math.min(userId, other)} ${Math.max(userId, other)}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${pair}, 0))`.execute(tx)
}

async function assertOther(db: Db, userId: UserId, other: number): Promise<void> {
  if (userId === other) throw new BadInputError('id must be another player’s.')
  if ((await countRows(db, sql`users where id = ${other} and deleted_at is null`)) === 0)
    throw new PlayerNotFoundError()
}

export async function countFollowed(db: Db, userId: UserId): Promise<number> {
  return await countRows(db, sql`follows where user_id = ${userId}`)
}

async function countRows(db: Db, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${from}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function setHidesFollows(app: App, userId: UserId, hidesFollows: boolean): Promise<{ ok: true }> {
  await app.platform.db.updateTable('users').set({ hides_follows: hidesFollows }).where('id', '=', userId).execute()
  return { ok: true }
}

/** Returns a player's followers and posts for their profile. Throws `PlayerNotFoundError`. */
export async function getFollowers({ app, ip }: JournalReader, viewer: UserId | null, userId: UserId) {
  return await journalQueue(ip, () => readFollowers(app.platform.db, viewer, userId))
}

async function readFollowers(db: Db, viewer: UserId | null, userId: UserId): Promise<Followers> {
  const user = await db
    .selectFrom('users')
    .select('hides_follows')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (user === undefined) throw new PlayerNotFoundError()
  if (user.hides_follows && viewer !== userId) return { followers: null, following: null, latest: [], posts: [] }
  const latest = await listPlayers(
    db,
    sql`follows f join users u on u.id = f.user_id where f.kind = 'player' and f.target_id = ${userId}
      and (not u.hides_follows or u.id = ${viewer}) order by f.created_at desc, u.id limit ${LATEST}`,
  )
  const posts = await readPosts(db, {
    where: sql`p.user_id = ${userId} and p.state = 'shown' and exists (select from ${visibleTokens} t where t.id = p.topic)
      and ${isNotBlocked(viewer)}`,
    order: sql`created_at desc`,
    limit: LATEST_POSTS,
    viewer,
  })
  return {
    followers: await countRows(db, sql`follows where kind = 'player' and target_id = ${userId}`),
    following: await countRows(db, sql`follows where kind = 'player' and user_id = ${userId}`),
    latest,
    posts: posts.map((row) => toPost(row, viewer)),
  }
}
