import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { App } from '../../../context.ts'
import { type JournalHeads, readHeads } from '../../../events/journal.ts'
import { type PeriodicJob, startPeriodicJob } from '../../../lib/periodic-job.ts'
import { holdPosition, lockPosition, releasePosition } from '../../../notices/notice-position.ts'
import { wakeWebhooks } from '../webhooks/wake-webhooks.ts'
import { endAlertsOfRuggedTokens, fireNewAlerts, fireReachedAlerts } from './reached-alerts.ts'
import { recordRugPulls } from './rug-pulls.ts'
import { tellSomeHolders } from './tell-holders.ts'
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
/**
 * Ids are committed out of order, so trades count only once every transaction that could write below them has ended. One that
 * stays open delays this by at most this long, which exceeds the time between a batch's ids and its commit.
 */
const UNSETTLED_MAX_MS = 45_000

type Parts = Pick<App, 'db' | 'notices'> & {
  readonly feed: Pick<App['feed'], 'onEvent'>
  readonly log: Pick<App['log'], 'warn'>
}

/**
 * Follows the market and tells players what matters: rug pulls, sales of large holders, reached alerts. The order path pays
 * nothing. One node of a database does it at a time, from a position in the database; another goes on where it ended.
 */
export function startFollowingMarket(parts: Parts): PeriodicJob {
  const follower = new MarketFollower(parts)
  const job = startPeriodicJob(
    LOOK_EVERY_MS,
    (stopping) => follower.look(stopping),
    (error) => parts.log.warn({ err: error }, 'notices could not be created; retrying'),
  )
  return {
    stop: async () => {
      follower.detach()
      await job.stop()
      await releasePosition(parts.db, parts.notices.node).catch(() => undefined)
    },
  }
}

type JournalEnd = Pick<JournalHeads, 'tradeId' | 'tokenId'>
type DatedHeads = JournalHeads & { readonly atMs: number }

/** One node's part in following the market. */
export class MarketFollower {
  readonly detach: () => void
  readonly #parts: Parts
  /** Whether an event came since the last look. */
  #isMoved = true
  #lookedMs = Number.NEGATIVE_INFINITY
  /** Heads of the journal whose transactions had not all ended when they were read, oldest first. */
  #heads: DatedHeads[] = []

  constructor(parts: Parts) {
    this.#parts = parts
    this.detach = parts.feed.onEvent(() => {
      this.#isMoved = true
    })
  }

  /** Does what there is to do, a bounded step after another. */
  async look(stopping?: AbortSignal): Promise<void> {
    if (!this.#isMoved && this.#heads.length === 0 && performance.now() - this.#lookedMs < LOOK_ANYWAY_MS) return
    this.#isMoved = false
    try {
      if (!(await holdPosition(this.#parts.db, this.#parts.notices.node))) {
        this.#heads = []
        return
      }
      await this.follow(stopping)
      await this.tellHolders(stopping)
    } catch (error) {
      this.#isMoved = true
      throw error
    } finally {
      this.#lookedMs = performance.now()
    }
  }

  /** Looks at what is settled since the position. */
  async follow(stopping?: AbortSignal): Promise<void> {
    const through = await this.#findSettled()
    for (;;) {
      const startedMs = performance.now()
      const { isDone, told } = await this.#step(through)
      if (told > 0) await this.#parts.notices.poll()
      await rest((performance.now() - startedMs) * REST_PER_LOOK, stopping)
      if (isDone || stopping?.aborted) return
    }
  }

  /** Tells the holders of tokens until all are told. */
  async tellHolders(stopping?: AbortSignal): Promise<void> {
    const { db, notices } = this.#parts
    for (;;) {
      const startedMs = performance.now()
      if (stopping?.aborted || !(await tellSomeHolders(db))) return
      await notices.poll()
      await rest((performance.now() - startedMs) * REST_PER_TOLD, stopping)
    }
  }

  /** The last ids below which nothing can be written any more; null where nothing new is settled. */
  async #findSettled(): Promise<JournalEnd | null> {
    const heads = { ...(await readHeads(this.#parts.db)), atMs: performance.now() }
    const settled = this.#heads.filter((earlier) => isSettled(earlier, heads)).at(-1)
    const last = this.#heads.at(-1)
    this.#heads = this.#heads.filter((earlier) => !isSettled(earlier, heads))
    if (!isSameEnd(settled, heads) && !isSameEnd(last, heads)) this.#heads.push(heads)
    return settled ?? null
  }

  /** One transaction: what it tells and how far it came are written together. */
  async #step(settled: JournalEnd | null): Promise<{ readonly isDone: boolean; readonly told: number }> {
    return await this.#parts.db.transaction().execute(async (tx) => {
      const position = await lockPosition(tx)
      const rugs = await recordRugPulls(tx, position.rugs_since)
      let told = rugs
      told += await endAlertsOfRuggedTokens(tx, position.rugs_since)
      told += await fireNewAlerts(tx)
      const end = Math.max(position.trade_id, settled?.tradeId ?? 0)
      const tokenId = Math.max(position.token_id, settled?.tokenId ?? 0)
      const range = { after: position.trade_id, through: Math.min(end, position.trade_id + TRADES_A_STEP) }
      if (range.through > range.after) {
        told += await recordWhaleSales(tx, range)
        told += await fireReachedAlerts(tx, range)
      }
      await wakeWebhooks(tx, { trades: range, hasLaunches: tokenId > position.token_id, hasRugs: rugs > 0 })
      // Where nothing was told, losing this in a crash costs a second look only, so orders' commits need not wait for it.
      if (told === 0) await sql`set local synchronous_commit = off`.execute(tx)
      await sql`
        update notice_position set trade_id = ${range.through}, token_id = ${tokenId}, rugs_since = now()`.execute(tx)
      return { isDone: range.through === end, told }
    })
  }
}

async function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(Math.min(ms, REST_MAX_MS), undefined, { signal })
}

function isSameEnd(heads: JournalEnd | undefined, other: JournalEnd): boolean {
  return heads?.tradeId === other.tradeId && heads.tokenId === other.tokenId
}

/** Whether every transaction that could write below these heads had ended when `later` was read. */
function isSettled(heads: DatedHeads, later: DatedHeads): boolean {
  return heads.transaction <= later.oldestRunning || heads.atMs < later.atMs - UNSETTLED_MAX_MS
}
