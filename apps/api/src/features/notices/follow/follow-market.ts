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
/** How often the market is looked at without an event of this node's feed: after a takeover, for new alerts. */
const LOOK_ANYWAY_MS = 5_000
/** Trades of one step. */
const TRADES_A_STEP = 20_000
/** Looking takes a twentieth of the time at most, telling a fifth: orders come first. */
const REST_PER_LOOK = 19
const REST_PER_TOLD = 4
/** On a busy machine a look takes long because it waits; a player must not wait many times as long. */
const REST_MAX_MS = 2_000
type Parts = AppPart<'db' | 'timers' | 'log' | 'feed' | 'notices'>

/**
 * Follows the market and tells players what matters: rug pulls, sales of large holders, reached alerts, news of their tokens. The order path pays
 * nothing. One node of a database does it at a time, from a position in the database; another goes on where it ended.
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

/** One node's part in following the market. */
export class MarketFollower {
  readonly detach: () => void
  readonly #parts: Parts
  /** Whether an event came since the last look. */
  #isMoved = true
  readonly #timers: Timers
  #lookedMs = Number.NEGATIVE_INFINITY
  /** The journal's position at the last look. */
  #end = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#timers = parts.platform.timers
    const note = () => {
      this.#isMoved = true
    }
    this.detach = parts.live.feed.onPlaced(note)
  }

  /** Does what there is to do, a bounded step after another. */
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

  /** Looks at what was committed since the position. */
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

  /** Tells the holders of tokens until all are told. */
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

  /** One transaction: what it tells and how far it came are written together. */
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
      // Last: it locks pools.
      told += await recordSealEnds(tx)
      await wakeWebhooks(tx, range, 'public')
      // Where nothing was told, losing this in a crash costs a second look only, so orders' commits need not wait for it.
      if (told === 0) await sql`set local synchronous_commit = off`.execute(tx)
      await sql`update notice_position set trade_id = ${range.through}`.execute(tx)
      return { isDone: range.through === end, told }
    })
  }
}
