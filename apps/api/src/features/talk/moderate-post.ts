import type { HostActInput } from '@papermoon/contract/talk'
import type { TokenId, UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import { mute } from '../../moderation/acts.ts'
import { type Act, appendAct } from '../../moderation/log.ts'
import { tellOutcome } from '../../moderation/tell-outcome.ts'
import { changeState, publishPost } from '../../talk/change-state.ts'
import { NotYourPostError, PostNotFoundError } from '../../talk/errors.ts'
import { findPost, getPostDb, openTopic } from '../../talk/open-topic.ts'

const MUTE_MS = 24 * 3_600_000

/**
 * Moderates a post as the host of its room, and logs it as a moderator's act. Throws `NotYourPostError` unless the caller
 * is the host, and `PostNotFoundError`.
 */
export async function moderatePost(app: App, hostId: UserId, { id, act, reason }: HostActInput): Promise<{ ok: true }> {
  const row = await findPost(getPostDb(app, id), id)
  if (row === null || row.state === 'deleted') throw new PostNotFoundError()
  const about = row.topic > 0 ? { tokenId: row.topic as TokenId } : { fairId: -row.topic }
  const topic = await openTopic(app, hostId, about).catch(() => {
    throw new PostNotFoundError()
  })
  if (topic.fairId === null || !(await isRoomHost(app, topic.fairId, hostId))) throw new NotYourPostError()
  const { fairId } = topic
  const now = app.platform.clock.now()
  await topic.app.platform.db.transaction().execute(async (tx) => {
    const userId = row.user_id as UserId
    if (act === 'mute') await mute(tx, { userId, fairId, until: new Date(now.getTime() + MUTE_MS) })
    else await changeState(tx, row, act === 'hide' ? 'hidden' : 'shown')
    const entry: Act = {
      ...{ actor: { userId: hostId, as: 'host' }, act, kind: 'post', targetId: id, concernedId: userId },
      ...{ detail: { fairId }, words: row.text, reason, now },
    }
    await tellOutcome(tx, { act, about: 'post', concernedId: userId, caseId: null })
    await appendAct(tx, entry)
  })
  if (act !== 'mute') await publishPost(topic.app, id)
  return { ok: true }
}

async function isRoomHost(app: App, fairId: number, userId: UserId): Promise<boolean> {
  const fair = await app.platform.db
    .selectFrom('fairs')
    .select('host_id')
    .where('id', '=', fairId)
    .where('kind', 'in', ['room', 'cup', 'sandbox'])
    .executeTakeFirst()
  return fair?.host_id === userId
}
