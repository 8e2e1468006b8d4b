import { isFairToken } from '@papermoon/contract/fair-tokens'
import type { PostId } from '@papermoon/contract/posts'
import type { Db, FairKind } from '@papermoon/db'
import { type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { tokenExists } from '../../database/conditions.ts'
import {
  chooseMarket,
  type FairMarket,
  FairNotFoundError,
  findFairOfToken,
  isMember,
  isPrivate,
} from '../fairs/public.ts'
import { PostNotFoundError } from './errors.ts'
import { findPost, type PostRow } from './read-posts.ts'

/** A topic of posts that the caller can see: a token or a fair's lobby. */
export interface Topic extends FairMarket {
  /** Id of the token, or the negative id of the fair for its lobby. */
  readonly id: number
  /** Id of the fair; null for the fairground. */
  readonly fairId: number | null
}

interface TopicInput {
  readonly tokenId?: TokenId | undefined
  readonly fairId?: number | undefined
}

/**
 * Finds a topic by its id. Throws `TokenNotFoundError` or `FairNotFoundError`, also for a room that the caller has not
 * joined.
 */
export async function openTopic(app: App, userId: UserId | null, { tokenId, fairId }: TopicInput): Promise<Topic> {
  if (tokenId !== undefined) return await openTokenTopic(app, userId, tokenId)
  if (fairId === undefined) throw new FairNotFoundError()
  return await openLobby(app, userId, fairId)
}

async function openTokenTopic(app: App, userId: UserId | null, tokenId: TokenId): Promise<Topic> {
  const market = isFairToken(tokenId) ? await chooseMarket(app, { tokenId }, async () => userId) : { app, member: null }
  if (!(await tokenExists(market.app.platform.db, tokenId))) throw new TokenNotFoundError()
  const fair = isFairToken(tokenId) ? await findFairOfToken(market.app, tokenId) : null
  return { ...market, id: tokenId, fairId: fair?.id ?? null }
}

async function openLobby(app: App, userId: UserId | null, fairId: number): Promise<Topic> {
  const { fairs = app } = app.market
  const { rows } = await sql<{ kind: FairKind }>`
    select kind from fairs where id = ${fairId} and kind <> 'fairground'`.execute(app.platform.db)
  const [fair] = rows
  if (fair === undefined) throw new FairNotFoundError()
  const topic = { app: fairs, id: -fairId, fairId }
  if (!isPrivate(fair.kind)) return { ...topic, member: null }
  if (userId === null || !(await isMember(fairs, [fairId], userId))) throw new FairNotFoundError()
  return { ...topic, member: { fairIds: [fairId], userId, named: { fairs: [fairId] } } }
}

/** Returns a post. Throws `PostNotFoundError` if the caller cannot see the post. */
export async function openPost(
  app: App,
  userId: UserId | null,
  id: PostId,
  canBeGone = false,
): Promise<{ readonly topic: Topic; readonly row: PostRow }> {
  const row = await findPost(getPostDb(app, id), id, userId)
  const isOwn = row?.user_id === userId
  if (row === null) throw new PostNotFoundError()
  if (!canBeGone && (row.state === 'deleted' || (row.state !== 'shown' && !isOwn))) throw new PostNotFoundError()
  const about = row.topic > 0 ? { tokenId: row.topic as TokenId } : { fairId: -row.topic }
  const topic = await openTopic(app, userId, about).catch((error: unknown) => {
    if (error instanceof TokenNotFoundError || error instanceof FairNotFoundError) throw new PostNotFoundError()
    throw error
  })
  return { topic, row }
}

/** Returns the database connection for a post's market. */
export function getPostDb(app: App, id: number): Db {
  return (isFairToken(id) ? (app.market.fairs ?? app) : app).platform.db
}

/** SQL for whether neither the writer `p.user_id` nor the viewer has blocked the other. */
export function isNotBlocked(viewer: UserId | null) {
  if (viewer === null) return sql<boolean>`true`
  return sql<boolean>`not exists (select from blocks b where (b.user_id = ${viewer} and b.blocked_user_id = p.user_id)
    or (b.user_id = p.user_id and b.blocked_user_id = ${viewer}))`
}

/** Returns whether a player has blocked one of the others, or was blocked by one of them. */
export async function hasBlocked(db: Db, userId: UserId, others: readonly number[]): Promise<boolean> {
  if (others.length === 0) return false
  const ids = [...others]
  const { rows } = await sql<{ is_blocked: boolean }>`
    select exists (select from blocks where (user_id = ${userId} and blocked_user_id = any(${ids}::int[]))
      or (blocked_user_id = ${userId} and user_id = any(${ids}::int[]))) as is_blocked`.execute(db)
  return rows[0]?.is_blocked === true
}
