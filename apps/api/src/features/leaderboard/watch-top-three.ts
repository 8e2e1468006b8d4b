import type { UserId } from '@papermoon/engine'
import type { AppPart } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { type ConsumerStep, lockPosition, notifyPlayers, type PersonalCause, saveTopThree } from '../notices/public.ts'
import { rankWinners } from './ranking/best-flows.ts'
import { lastSixHours, prepareRanking } from './store.ts'

const PLACES = 3
const STATEMENT_TIMEOUT_MS = 30_000

/** Returns a consumer's step that notifies a player when someone takes their rank in the Top 3. */
export async function watchTopThree(app: AppPart<'db' | 'clock' | 'notices'>): Promise<ConsumerStep> {
  const board = await readTopThree(app)
  const notified = await app.platform.db.transaction().execute(async (tx) => {
    const { top_three: before, holder } = await lockPosition(tx)
    // Another node took over this job while this node read the board. That node may have seen a later board.
    if (holder !== app.live.notices.node) return 0
    await saveTopThree(tx, board)
    return await notifyPlayers(tx, findOvertaken((before ?? []) as UserId[], board).map(toCause))
  })
  return { notified, isDone: true }
}

/** Reads the Top 3. Does not use the leaderboard's cache, because this job would then change the cache's age. */
async function readTopThree({ platform: { db, clock } }: AppPart<'db' | 'clock'>): Promise<UserId[]> {
  return await inSnapshot(db, async (snapshot) => {
    await prepareRanking(snapshot, STATEMENT_TIMEOUT_MS)
    const ranked = await rankWinners(snapshot, lastSixHours(clock.now()), { most: PLACES, who: 'people' })
    return ranked.map(({ userId }) => userId)
  })
}

export interface OvertakenPlayer {
  readonly userId: UserId
  /** The player's earlier rank, counted from 1. */
  readonly rank: number
  /** The player's new rank. The rank is null if the player left the Top 3. */
  readonly rankNow: number | null
  /** The best-ranked of the players who overtook this player. */
  readonly actorId: UserId
}

/** Finds players who were overtaken between two boards, the best one first. */
export function findOvertaken(before: readonly UserId[], now: readonly UserId[]): OvertakenPlayer[] {
  return before.flatMap((userId, place) => {
    const placeNow = now.indexOf(userId)
    if (placeNow !== -1 && placeNow <= place) return []
    const actorId = now.slice(0, place + 1).find((other) => !before.slice(0, place + 1).includes(other))
    if (actorId === undefined) return []
    return [{ userId, rank: place + 1, rankNow: placeNow === -1 ? null : placeNow + 1, actorId }]
  })
}

function toCause({ userId, rank, rankNow, actorId }: OvertakenPlayer): PersonalCause {
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
