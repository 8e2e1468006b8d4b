import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import type { Bounds } from '../moderation/public.ts'
import { findMute } from '../moderation/public.ts'
import { hasForeignLink, hasHeldWord, isNear, isShort, toSkeleton } from './check-post.ts'
import { MutedError, PostRefusedError } from './errors.ts'

/** Max number of earlier posts that a post is compared with. */
const COMPARED_MAX = 20

export interface Judged {
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

export function isNewAccount({ accountCreatedAt, bounds, now }: Pick<Judged, 'accountCreatedAt' | 'bounds' | 'now'>) {
  return now.getTime() - accountCreatedAt.getTime() < bounds.newAccountHours * HOUR_MS
}

/**
 * Returns why a post is held for review. Returns null if the post is shown at once. Throws `PostRefusedError` and
 * `MutedError`.
 */
export async function judge(tx: Tx, judged: Judged): Promise<string | null> {
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
