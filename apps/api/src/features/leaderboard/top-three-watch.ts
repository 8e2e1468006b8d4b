import type { UserId } from '@papermoon/engine'
import type { AppPart } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { type PeriodicJob, startPeriodicJob } from '../../lib/periodic-job.ts'
import { lockPosition, type PersonalCause, readHolder, saveTopThree, tellPlayers } from '../notices/public.ts'
import { lastSixHours } from './last-six-hours.ts'
import { rankWinners } from './ranking/rank-winners.ts'
import { prepareRanking } from './store.ts'

/** Interval at which readers get a new board, in ms. */
const LOOK_EVERY_MS = 30_000
/** How often the board is read even without a trade, in ms, because old trades leave its six hours. */
const LOOK_ANYWAY_MS = 5 * 60_000
const PLACES = 3
const STATEMENT_TIMEOUT_MS = 30_000
/**
 * How many times its own duration to wait after a read, so that reading the board takes at most a twentieth of the
 * time.
 */
const REST_PER_LOOK = 19

type Parts = AppPart<'db' | 'clock' | 'timers' | 'log' | 'feed' | 'notices'>

/** Notifies players when someone takes their place in the Top 3. Only the node that follows the market does so. */
export function startTopThreeWatch(parts: Parts): PeriodicJob {
  const { timers, log } = parts.platform
  let isMoved = true
  let restUntilMs = 0
  let lookedMs = Number.NEGATIVE_INFINITY
  const detach = parts.live.feed.onEvent(() => {
    isMoved = true
  })
  const look = async () => {
    const startedMs = timers.monotonic()
    if (startedMs < restUntilMs || (!isMoved && startedMs - lookedMs < LOOK_ANYWAY_MS)) return
    isMoved = false
    lookedMs = startedMs
    await watchTopThree(parts)
    restUntilMs = timers.monotonic() + (timers.monotonic() - startedMs) * REST_PER_LOOK
  }
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'notices about lost Top 3 ranks could not be created; retrying')
  const job = startPeriodicJob({ timers, everyMs: LOOK_EVERY_MS, failed }, look)
  return {
    ...job,
    stop: async () => {
      detach()
      await job.stop()
    },
  }
}

/** Checks the board once. Returns how many players were notified. */
async function watchTopThree(app: AppPart<'db' | 'clock' | 'notices'>): Promise<number> {
  if ((await readHolder(app.platform.db)) !== app.live.notices.node) return 0
  const board = await readTopThree(app)
  const told = await app.platform.db.transaction().execute(async (tx) => {
    const { top_three: before, holder } = await lockPosition(tx)
    // Another node took over while the board was read, and may have seen a later board.
    if (holder !== app.live.notices.node) return 0
    await saveTopThree(tx, board)
    return await tellPlayers(tx, findLostPlaces((before ?? []) as UserId[], board).map(toCause))
  })
  if (told > 0) await app.live.notices.poll()
  return told
}

/** Reads the Top 3. Does not use the leaderboard's cache, because its age would then depend on this job. */
async function readTopThree({ platform: { db, clock } }: AppPart<'db' | 'clock'>): Promise<UserId[]> {
  return await inSnapshot(db, async (snapshot) => {
    await prepareRanking(snapshot, STATEMENT_TIMEOUT_MS)
    const ranked = await rankWinners(snapshot, lastSixHours(clock.now()), { most: PLACES, who: 'people' })
    return ranked.map(({ userId }) => userId)
  })
}

export interface LostPlace {
  readonly userId: UserId
  /** The previous rank, from 1. */
  readonly rank: number
  /** The current rank; null if no longer in the Top 3. */
  readonly rankNow: number | null
  /** The best player who overtook them. */
  readonly actorId: UserId
}

/** Finds players who were overtaken between two boards, best first. */
export function findLostPlaces(before: readonly UserId[], now: readonly UserId[]): LostPlace[] {
  return before.flatMap((userId, place) => {
    const placeNow = now.indexOf(userId)
    if (placeNow !== -1 && placeNow <= place) return []
    const actorId = now.slice(0, place + 1).find((other) => !before.slice(0, place + 1).includes(other))
    if (actorId === undefined) return []
    return [{ userId, rank: place + 1, rankNow: placeNow === -1 ? null : placeNow + 1, actorId }]
  })
}

function toCause({ userId, rank, rankNow, actorId }: LostPlace): PersonalCause {
  return {
    userId,
    kind: 'top3',
    key: `top3 ${userId}`,
    tokenId: null,
    actorId,
    seq: null,
    detail: { rank, ...(rankNow !== null && { rankNow }) },
  }
}
