import type { Context } from '../../context.ts'
import type { EventCursor } from '../../events/stream/event-cursors.ts'
import { readNext } from '../../events/stream/past-rows.ts'
import { replay } from './replay.ts'
import type { GapEvent } from './schemas.ts'

/** Listeners may resume at any event of the last 24 hours; two more, since nodes' clocks may differ by as much. */
const RESUME_MAX_MS = 26 * 3_600_000

type Gap = Pick<GapEvent, 'reason' | 'since'>

/** Why events after a cursor cannot be sent; null where all of them can. */
export async function findGap(
  { app, ip }: Pick<Context, 'app' | 'ip'>,
  { position, isOwn }: EventCursor,
): Promise<Gap | null> {
  if (!isOwn) return { reason: 'unknown', since: null }
  const { nextAt, isBeyondEnd } = await replay({ app, ip }, () => readNext(app.db, position))
  const since = nextAt?.toISOString() ?? null
  if (nextAt !== null && nextAt.getTime() < app.clock.now().getTime() - RESUME_MAX_MS) {
    return { reason: 'expired', since }
  }
  return isBeyondEnd ? { reason: 'unknown', since } : null
}
