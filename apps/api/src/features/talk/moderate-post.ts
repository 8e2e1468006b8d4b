import { contract } from '@papermoon/contract'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { defineError } from '../../errors.ts'
import { implement } from '../../trpc.ts'
import { findMute, hasActInForce, lockPlayer, mute, recordAct } from '../moderation/public.ts'
import { NotYourPostError, PostNotFoundError } from './errors.ts'
import { getPostDb, openTopic } from './open-topic.ts'
import { changeState, lockState, publishPost } from './publish-post.ts'
import { findPost } from './read-posts.ts'

const MUTE_MS = 24 * 3_600_000

class NotHostsError extends defineError(
  'NOT_YOURS',
  'A moderator hid this post, so only a moderator can show it again.',
) {}

/**
 * Moderates a post as the host of its room and logs this. If the post is already in that state, nothing changes. Throws
 * `NotYourPostError` if the caller is not the host, `NotHostsError` and `PostNotFoundError`.
 */
export const moderatePost = implement(contract.talk.moderate, async ({ ctx: { app, userId: hostId }, input }) => {
  const { id, act, reason } = input
  const row = await findPost(getPostDb(app, id), id)
  // Only the writer and moderators can see a post that is on hold.
  if (row === null || row.state === 'deleted' || row.state === 'held') throw new PostNotFoundError()
  const about = row.topic > 0 ? { tokenId: row.topic as TokenId } : { fairId: -row.topic }
  const topic = await openTopic(app, hostId, about).catch(() => {
    throw new PostNotFoundError()
  })
  if (topic.fairId === null || !(await isRoomHost(app, topic.fairId, hostId))) throw new NotYourPostError()
  const { fairId } = topic
  const now = app.platform.clock.now()
  await topic.app.platform.db.transaction().execute(async (tx) => {
    const userId = row.user_id as UserId
    const isThere = await lockPlayer(tx, userId)
    const until = new Date(now.getTime() + MUTE_MS)
    if (act === 'mute') {
      if (!isThere || (await findMute(tx, { userId, fairIds: [fairId], now })) !== null) return
      await mute(tx, { userId, fairId, until })
    } else {
      // A host cannot change a moderator's decision.
      const post = { kind: 'post', target_id: id, concerned_id: userId } as const
      if (act === 'restore' && (await hasActInForce(tx, post, 'hidden', sql`o.as_role <> 'host'`)))
        throw new NotHostsError()
      const [from, to] = act === 'hide' ? (['shown', 'hidden'] as const) : (['hidden', 'shown'] as const)
      if ((await lockState(tx, id)).state !== from) return
      await changeState(tx, row, to)
    }
    await recordAct(tx, {
      actor: { userId: hostId, as: 'host' },
      act,
      kind: 'post',
      targetId: id,
      concernedId: userId,
      detail: { fairId, ...(act === 'mute' && { until: until.toISOString() }) },
      words: row.text,
      reason,
      now,
    })
  })
  if (act !== 'mute') await publishPost(topic.app, id)
  return { ok: true } as const
})

async function isRoomHost(app: App, fairId: number, userId: UserId): Promise<boolean> {
  const fair = await app.platform.db
    .selectFrom('fairs')
    .select('host_id')
    .where('id', '=', fairId)
    .where('kind', 'in', ['room', 'cup', 'sandbox'])
    .executeTakeFirst()
  return fair?.host_id === userId
}
