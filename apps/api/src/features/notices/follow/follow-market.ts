import type { Tx } from '@papermoon/db'
import type { Timers } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../../context.ts'
import { readHeads } from '../../../events/journal.ts'
import { SettledHeads } from '../../../events/settled-heads.ts'
import { type PeriodicJob, startPeriodicJob } from '../../../lib/periodic-job.ts'
import { sleep } from '../../../lib/sleep.ts'
import { holdPosition, lockPosition, releasePosition } from '../../../notices/notice-position.ts'
import { endAlertsOfRuggedTokens, fireNewAlerts, fireReachedAlerts } from './reached-alerts.ts'
import { type EntryRange, recordRugPulls } from './rug-pulls.ts'
import { recordSealEnds } from './seal-ends.ts'
import { tellCreators } from './tell-creators.ts'
import { tellSomeHolders } from './tell-holders.ts'
import { tellOwners } from './tell-owners.ts'
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
  #journal = new SettledHeads()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#timers = parts.platform.timers
    const note = () => {
      this.#isMoved = true
    }
    const detach = [parts.live.feed.onEvent(note), parts.live.feed.onOrder(note)]
    this.detach = () => {
      for (const stop of detach) stop()
    }
  }

  /** Does what there is to do, a bounded step after another. */
  async look(stopping?: AbortSignal): Promise<void> {
    if (!this.#isMoved && !this.#journal.isBehind && this.#timers.monotonic() - this.#lookedMs < LOOK_ANYWAY_MS) return
    this.#isMoved = false
    try {
      if (!(await holdPosition(this.#parts.platform.db, this.#parts.live.notices.node))) {
        this.#journal = new SettledHeads()
        return
      }
      await this.follow(stopping)
      await this.tellHolders(stopping)
    } catch (error) {
      this.#isMoved = true
      throw error
    } finally {
      this.#lookedMs = this.#timers.monotonic()
    }
  }

  /** Looks at what is settled since the position. */
  async follow(stopping?: AbortSignal): Promise<void> {
    const readMs = this.#timers.monotonic()
    this.#journal.note(await readHeads(this.#parts.platform.db), readMs)
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
      const { settled } = this.#journal
      const end = Math.max(position.trade_id, settled?.entry ?? 0)
      const tokenId = Math.max(position.token_id, settled?.tokenId ?? 0)
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
      await wakeWebhooks(tx, { trades: range, hasLaunches: tokenId > position.token_id, hasRugs: rugs > 0 })
      // Where nothing was told, losing this in a crash costs a second look only, so orders' commits need not wait for it.
      if (told === 0) await sql`set local synchronous_commit = off`.execute(tx)
      await sql`
        update notice_position set trade_id = ${range.through}, token_id = ${tokenId}`.execute(tx)
      return { isDone: range.through === end, told }
    })
  }
}

interface Looked {
  readonly trades: EntryRange
  readonly hasLaunches: boolean
  readonly hasRugs: boolean
}

/**
 * Marks webhooks for which the follower's step found something. A webhook that was not marked before has none of its events among
 * earlier trades, so its place moves up to the step: later it reads no trades in vain.
 */
export async function wakeWebhooks(tx: Tx, { trades, ...found }: Looked): Promise<void> {
  const hasTrades = trades.through > trades.after
  if (!hasTrades && !found.hasLaunches && !found.hasRugs) return
  const sleeping = await tx
    .selectFrom('webhooks')
    .select('id')
    .where('is_ready', '=', false)
    .where('verified_at', 'is not', null)
    .where('fairs', 'is', null)
    .limit(1)
    .execute()
  if (sleeping.length === 0) return
  await sql`
    with moved as materialized (
      select distinct token_id, user_id from trades where id > ${trades.after} and id <= ${trades.through}
    ), told as materialized (
      select topic from posts where (position > ${trades.after} and position <= ${trades.through})
        or (changed_position > ${trades.after} and changed_position <= ${trades.through})
    ), ordered as materialized (
      select distinct user_id from waiting_orders where position > ${trades.after} and position <= ${trades.through}
    )
    update webhooks w set is_ready = true, trade_id = greatest(w.trade_id, ${trades.after})
     where not w.is_ready and w.verified_at is not null and w.fairs is null and (
       (${found.hasLaunches} and 'launch' = any(w.events))
       or (${found.hasRugs} and 'rug' = any(w.events))
       or ('trade' = any(w.events) and exists (
         select from moved m where w.token_ids is null or m.token_id = any(w.token_ids)))
       or ('post' = any(w.events) and exists (
         select from told where topic > 0 and (w.token_ids is null or topic = any(w.token_ids))))
       or ('order' = any(w.events) and exists (select from ordered o where o.user_id = w.user_id))
       or ('fill' = any(w.events) and exists (select from moved m where m.user_id = w.user_id)))`.execute(tx)
}
