import type { Db, NoticePositionTable, Tx } from '@papermoon/db'
import { type Selectable, sql } from 'kysely'
import type { App, AppPart } from '../../../context.ts'
import { sleep } from '../../../lib/durations.ts'

/**
 * Pause of a consumer after a step, as a multiple of the step's duration. The consumer therefore uses at most a
 * twentieth of the time, because orders have priority.
 */
const REST_PER_STEP = 19
/** Max pause within a run, in ms. If a longer pause is needed, the run ends, and the next run continues. */
const REST_IN_RUN_MAX_MS = 2_000

/** The result of a consumer's step. */
export interface ConsumerStep {
  /** Number of notices that the step created. */
  readonly notified: number
  /** Whether all events are processed. */
  readonly isDone: boolean
  /** Pause after this step, as a multiple of its duration (default: `REST_PER_STEP`). */
  readonly rest?: number
}

/** A job that processes the journal's new events in order. */
export interface Consumer {
  /**
   * Time in ms after which a run takes a step even if there are no new events, because some work depends only on time.
   */
  readonly idleMs: number
  /** Max pause in ms after a step; undefined if the pause has no limit. */
  readonly restMaxMs?: number
  /** Processes the next part of the journal, and writes its results and its cursor in one transaction. */
  step(app: App): Promise<ConsumerStep>
}

/**
 * Returns a function that makes a consumer process the journal. Only the node that has the lease processes the journal.
 * If another node takes over, it continues at the same position.
 */
export function follow(app: App, { idleMs, restMaxMs = Number.POSITIVE_INFINITY, step }: Consumer) {
  const { timers } = app.platform
  let seen = -1
  let lookedMs = Number.NEGATIVE_INFINITY
  let restUntilMs = 0
  return async (stopping: AbortSignal): Promise<void> => {
    const position = readPositions(app)
    const nowMs = timers.monotonic()
    if (nowMs < restUntilMs || (position === seen && nowMs - lookedMs < idleMs)) return
    lookedMs = nowMs
    const { notices } = app.live
    if (!(await holdPosition(app.platform.db, notices.node))) return
    for (let isDone = false; !isDone && !stopping.aborted; ) {
      seen = -1
      const startedMs = timers.monotonic()
      const { notified, rest = REST_PER_STEP, ...result } = await step(app)
      isDone = result.isDone
      if (notified > 0) await notices.poll()
      const restMs = Math.min((timers.monotonic() - startedMs) * rest, restMaxMs)
      restUntilMs = timers.monotonic() + restMs
      if (isDone) seen = position
      else if (restMs <= REST_IN_RUN_MAX_MS) await sleep(timers, restMs, stopping)
      else return
    }
  }
}

/** Returns a number that increases with each event of the feeds on this node. */
function readPositions({ live, market }: AppPart<'feed' | 'fairs'>): number {
  return live.feed.position + (market.fairs?.live.feed.position ?? 0)
}

/** Duration of a lease in seconds. If a node does not renew its lease in this time, another node takes over. */
const HELD_S = 15

/** Gives this node the lease to follow the market, or renews it. Returns false while another node has the lease. */
async function holdPosition(db: Db, node: string): Promise<boolean> {
  const { rows } = await sql`
    update notice_position
       set holder = ${node}, held_until = clock_timestamp() + make_interval(secs => ${HELD_S})
     where holder is null or holder = ${node} or held_until < clock_timestamp() returning id`.execute(db)
  return rows.length > 0
}

/** Releases the lease, so that another node can follow the market at once. */
export async function releasePosition(db: Db, node: string): Promise<void> {
  await sql`update notice_position set holder = null where holder = ${node}`.execute(db)
}

/**
 * Locks the cursor's row until the transaction ends. Every writer of notices holds this lock, so notices are committed
 * in the order of their ids. Readers can therefore use the ids as cursors.
 */
export async function lockPosition(tx: Tx): Promise<Selectable<NoticePositionTable>> {
  return await tx.selectFrom('notice_position').selectAll().forUpdate().executeTakeFirstOrThrow()
}

/** Stores the last known Top 3, the best player first. Call this only while `lockPosition` holds its lock. */
export async function saveTopThree(tx: Tx, board: readonly number[]): Promise<void> {
  await sql`update notice_position set top_three = ${board}::int[]`.execute(tx)
}
