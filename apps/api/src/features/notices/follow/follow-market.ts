import type { Timers } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../../context.ts'
import { readPosition } from '../../../events/journal.ts'
import { type PeriodicJob, startPeriodicJob } from '../../../lib/periodic-job.ts'
import { sleep } from '../../../lib/sleep.ts'
import { holdPosition, lockPosition, releasePosition } from '../notice-position.ts'
import { endAlertsOfRuggedTokens, fireNewAlerts, fireReachedAlerts } from './reached-alerts.ts'
import { recordRugPulls } from './rug-pulls.ts'
import { recordSealEnds } from './seal-ends.ts'
import { tellCreators } from './tell-creators.ts'
import { tellSomeHolders } from './tell-holders.ts'
import { tellOwners } from './tell-owners.ts'
import { wakeWebhooks } from './wake-webhooks.ts'
import { recordWhaleSales } from './whale-sales.ts'

const LOOK_EVERY_MS = 250
/** Time between checks in ms if this node's feed has no events: after a takeover, and for new alerts. */
const LOOK_ANYWAY_MS = 5_000
/** Max positions per step. */
const TRADES_A_STEP = 20_000
/**
 * Pauses as multiples of the work: following takes at most a twentieth of the time and notifying holders a fifth,
 * because orders are more important.
 */
const REST_PER_LOOK = 19
const REST_PER_TOLD = 4
/**
 * Max pause in ms. On a busy machine, work takes long because it waits, and players should not wait many times as long.
 */
const REST_MAX_MS = 2_000
type Parts = AppPart<'db' | 'timers' | 'log' | 'feed' | 'notices'>

/**
 * Follows the market and notifies players about rug pulls, sales by large holders, reached alerts and news of their
 * tokens. This costs orders nothing. One node per database does it at a time and stores its position, so another node
 * can continue.
 */
export function startFollowingMarket(parts: Parts): PeriodicJob {
  const follower = new MarketFollower(parts)
  const { timers, log } = parts.platform
  const failed = (error: unknown) => log.warn({ err: error }, 'notices could not be created; retrying')
  const job = startPeriodicJob({ timers, everyMs: LOOK_EVERY_MS, failed }, (stopping) => follower.look(stopping))
  return {
    ...job,
    stop: async () => {
      follower.detach()
      await job.stop()
      await releasePosition(parts.platform.db, parts.live.notices.node).catch(() => undefined)
    },
  }
}

/** One node's follower of the market. */
export class MarketFollower {
  readonly detach: () => void
  readonly #parts: Parts
  /** Whether there was an event since the last check. */
  #isMoved = true
  readonly #timers: Timers
  #lookedMs = Number.NEGATIVE_INFINITY
  /** The journal's position at the last check. */
  #end = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#timers = parts.platform.timers
    const note = () => {
      this.#isMoved = true
    }
    this.detach = parts.live.feed.onPlaced(note)
  }

  /** Processes everything that is due, in steps of limited size. */
  async look(stopping?: AbortSignal): Promise<void> {
    if (!this.#isMoved && this.#timers.monotonic() - this.#lookedMs < LOOK_ANYWAY_MS) return
    this.#isMoved = false
    try {
      if (!(await holdPosition(this.#parts.platform.db, this.#parts.live.notices.node))) return
      await this.follow(stopping)
      await this.tellHolders(stopping)
    } catch (error) {
      this.#isMoved = true
      throw error
    } finally {
      this.#lookedMs = this.#timers.monotonic()
    }
  }

  /** Processes what was committed since the stored position. */
  async follow(stopping?: AbortSignal): Promise<void> {
    this.#end = await readPosition(this.#parts.platform.db)
    for (;;) {
      const startedMs = this.#timers.monotonic()
      const { isDone, told } = await this.#step()
      if (told > 0) await this.#parts.live.notices.poll()
      await this.#rest((this.#timers.monotonic() - startedMs) * REST_PER_LOOK, stopping)
      if (isDone || stopping?.aborted) return
    }
  }

  /** Notifies the holders of tokens until all are notified. */
  async tellHolders(stopping?: AbortSignal): Promise<void> {
    const {
      platform: { db },
      live: { notices },
    } = this.#parts
    for (;;) {
      const startedMs = this.#timers.monotonic()
      if (stopping?.aborted || !(await tellSomeHolders(db))) return
      await notices.poll()
      await this.#rest((this.#timers.monotonic() - startedMs) * REST_PER_TOLD, stopping)
    }
  }

  async #rest(ms: number, stopping: AbortSignal | undefined): Promise<void> {
    await sleep(this.#timers, Math.min(ms, REST_MAX_MS), stopping)
  }

  /** Writes a step's notices and the new position in one transaction. */
  async #step(): Promise<{ readonly isDone: boolean; readonly told: number }> {
    return await this.#parts.platform.db.transaction().execute(async (tx) => {
      const position = await lockPosition(tx)
      const end = Math.max(position.trade_id, this.#end)
      const range = { after: position.trade_id, through: Math.min(end, position.trade_id + TRADES_A_STEP) }
      const rugs = await recordRugPulls(tx, range)
      let told = rugs
      told += await endAlertsOfRuggedTokens(tx, range)
      told += await fireNewAlerts(tx)
      if (range.through > range.after) {
        told += await recordWhaleSales(tx, range)
        told += await fireReachedAlerts(tx, range)
        told += await tellCreators(tx, range)
        told += await tellOwners(tx, range)
      }
      // Do this last, because it locks pools.
      told += await recordSealEnds(tx)
      await wakeWebhooks(tx, range, 'public')
      // If nobody was notified, a crash only costs a repeated check, so do not wait for the disk. Commits of orders are
      // faster then.
      if (told === 0) await sql`set local synchronous_commit = off`.execute(tx)
      await sql`update notice_position set trade_id = ${range.through}`.execute(tx)
      return { isDone: range.through === end, told }
    })
  }
}
