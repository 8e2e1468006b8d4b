import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../context.ts'
import { perDatabase } from '../database/per-database.ts'

/** A player who listens to posts, and whose they must not see: of players they blocked, or who blocked them. */
interface PostViewer {
  readonly userId: UserId
  readonly blocked: Set<number>
}

const getViewers = perDatabase(() => new Set<PostViewer>())

export async function findViewer(app: AppPart<'db'>, userId: UserId): Promise<PostViewer> {
  const viewer = { userId, blocked: new Set<number>() }
  await readBlocked(app, viewer)
  return viewer
}

/** Lets the viewer's set follow the blocks that are made on this node. Returns the function that ends it. */
export function followBlocks({ platform }: AppPart<'db'>, viewer: PostViewer): () => void {
  getViewers(platform).add(viewer)
  return () => getViewers(platform).delete(viewer)
}

/** To be called once two players have blocked or unblocked each other. */
export async function updateViewers({ platform }: AppPart<'db'>, players: readonly number[]): Promise<void> {
  const changed = [...getViewers(platform)].filter(({ userId }) => players.includes(userId))
  await Promise.all(changed.map((viewer) => readBlocked({ platform }, viewer)))
}

async function readBlocked({ platform: { db } }: AppPart<'db'>, { userId, blocked }: PostViewer): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select blocked_user_id as id from blocks where user_id = ${userId}
    union select user_id from blocks where blocked_user_id = ${userId}`.execute(db)
  blocked.clear()
  for (const { id } of rows) blocked.add(id)
}
