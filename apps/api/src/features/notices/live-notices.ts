import type { UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import type { Notice } from '../../notices/notice.ts'
import { findNoticesAfter } from '../../notices/read-notices.ts'
import { KEPT_MAX } from '../../notices/tell-players.ts'

/**
 * A player's notices as they come, each once, in order; those after `lastId` first. A reader who is slower than its player's
 * notices gets the newest, which are all that is kept.
 */
export async function* liveNotices(
  { db, notices }: Pick<App, 'db' | 'notices'>,
  { userId, lastId, signal }: { userId: UserId; lastId: number | null; signal: AbortSignal | undefined },
): AsyncGenerator<Notice> {
  const waiting: Notice[] = []
  let wake = Promise.withResolvers<void>()
  const detach = notices.onNotice(userId, (notice) => {
    waiting.push(notice)
    if (waiting.length > KEPT_MAX) waiting.shift()
    wake.resolve()
  })
  const onAbort = () => wake.resolve()
  signal?.addEventListener('abort', onAbort)
  try {
    // The feed follows the end from here on; what came before is read below.
    await notices.poll()
    let sent = lastId ?? 0
    if (lastId !== null) {
      for (const { notice } of await findNoticesAfter(db, [userId], { after: lastId, most: KEPT_MAX })) {
        sent = notice.id
        yield notice
      }
    }
    while (!signal?.aborted) {
      for (const notice of waiting.splice(0)) {
        if (notice.id <= sent) continue
        sent = notice.id
        yield notice
      }
      await wake.promise
      wake = Promise.withResolvers()
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    detach()
  }
}
