import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { StreamEvent } from '../../events/journal.ts'

/** A player who receives posts. */
export interface PostViewer {
  readonly userId: UserId
  /** Players whose posts the viewer must not get, because one of the two has blocked the other. */
  blocked: ReadonlySet<number>
}

/** Finds the viewer of posts. Returns null for a guest. */
export async function findViewer(db: Db, userId: UserId | null): Promise<PostViewer | null> {
  if (userId === null) return null
  const viewer = { userId, blocked: new Set<number>() }
  await readBlocked(db, [viewer])
  return viewer
}

/** Returns whether an event is a post that the viewer must not see. */
export function isBlocked(event: StreamEvent, viewer: PostViewer | null = null): boolean {
  return event.type === 'post' && viewer?.blocked.has(event.post.writer.id) === true
}

/**
 * Updates the sets of blocked players of all viewers. The sets may be outdated, because players can block and unblock
 * on any node.
 */
export async function readBlocked(db: Db, viewers: readonly PostViewer[]): Promise<void> {
  if (viewers.length === 0) return
  const ids = [...new Set(viewers.map(({ userId }) => userId))]
  const { rows } = await sql<{ viewer: number; other: number }>`
    select user_id as viewer, blocked_user_id as other from blocks where user_id = any(${ids}::int[])
    union select blocked_user_id, user_id from blocks where blocked_user_id = any(${ids}::int[])`.execute(db)
  const byViewer = Map.groupBy(rows, ({ viewer }) => viewer)
  for (const viewer of viewers) viewer.blocked = new Set(byViewer.get(viewer.userId)?.map(({ other }) => other))
}
