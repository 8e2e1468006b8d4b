import { randomUUID } from 'node:crypto'
import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { type PeriodicJob, startPeriodicJob } from '../lib/periodic-job.ts'
import type { Notice } from './notice.ts'
import { findLastNoticeId, findNoticesAfter } from './read-notices.ts'

const POLL_MS = 1_000
/** Max notices of one poll; the rest follows in the next. */
const PAGE = 2_000

/** Called with each new notice of a player. Must not throw or wait. */
export type NoticeListener = (notice: Notice) => void

/**
 * Delivers new notices to the open pages of this node, whichever node wrote them. One query a second for all listeners, none
 * without a listener.
 */
export class NoticeFeed {
  /** This process, among those that may follow the market. */
  readonly node = randomUUID()
  readonly #db: Kysely<Database>
  readonly #log: Logger
  readonly #listeners = new Map<UserId, Set<NoticeListener>>()
  #job: PeriodicJob | null = null
  /** The last id that was looked at; null: look for the present end first. */
  #last: number | null = null
  #polling: Promise<void> = Promise.resolve()

  constructor(db: Kysely<Database>, log: Logger) {
    this.#db = db
    this.#log = log
  }

  start(): PeriodicJob {
    this.#job = startPeriodicJob(
      POLL_MS,
      () => this.poll(),
      (error) => this.#log.warn({ err: error }, 'notices of open pages could not be read'),
    )
    return this.#job
  }

  /** Attaches a listener to a player's notices; returns its detach function. */
  onNotice(userId: UserId, listener: NoticeListener): () => void {
    const listeners = this.#listeners.get(userId) ?? new Set()
    this.#listeners.set(userId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      this.#listeners.delete(userId)
      if (this.#listeners.size === 0) this.#last = null
    }
  }

  /** Looks for new notices now; one look at a time. */
  poll(): Promise<void> {
    const polled = this.#polling.then(() => this.#deliverNew())
    this.#polling = polled.catch(() => undefined)
    return polled
  }

  async #deliverNew(): Promise<void> {
    if (this.#listeners.size === 0) return
    const end = await findLastNoticeId(this.#db)
    // A restored database may end earlier than the one before.
    const after = this.#last === null ? end : Math.min(this.#last, end)
    if (after === end) {
      this.#last = end
      return
    }
    const found = await findNoticesAfter(this.#db, [...this.#listeners.keys()], { after, most: PAGE })
    const lastFound = found.at(-1)?.notice.id ?? end
    this.#last = found.length < PAGE ? Math.max(end, lastFound) : lastFound
    for (const { userId, notice } of found) {
      for (const listener of this.#listeners.get(userId) ?? []) listener(notice)
    }
  }
}
