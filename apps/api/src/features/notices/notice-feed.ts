import { randomUUID } from 'node:crypto'
import { NOTICES_MAX } from '@papermoon/contract/notices'
import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { findLastNoticeId, findNoticesAfter, type Notice } from './read-notices.ts'

/** Max number of notices per poll. The next poll reads the remaining notices. */
const PAGE = 2_000

/** An open page, and the new notices that it has not received yet. */
interface Reader {
  readonly waiting: Notice[]
  wake: () => void
}

/**
 * Delivers new notices to this node's open pages, even if another node wrote them. Runs one query per second for all
 * pages, and no query if no page is open.
 */
export class NoticeFeed {
  /** Id of this process, which differs from all others that may follow the market. */
  readonly node = randomUUID()
  readonly #db: Db
  readonly #readers = new Map<UserId, Set<Reader>>()
  /** The id of the last notice that was read. Null if the newest id is not known yet. */
  #last: number | null = null
  #polling: Promise<void> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Yields each of a player's new notices once, in order. Notices with ids above `lastId` come first. A slow reader
   * gets only the newest notices, because older ones are deleted.
   */
  async *follow(userId: UserId, lastId: number | null, signal: AbortSignal | undefined): AsyncGenerator<Notice> {
    const reader: Reader = { waiting: [], wake: () => {} }
    const onAbort = () => reader.wake()
    signal?.addEventListener('abort', onAbort)
    this.#readers.set(userId, (this.#readers.get(userId) ?? new Set()).add(reader))
    try {
      // From here on, the feed delivers new notices. Notices before this point are read below.
      await this.poll()
      let sent = lastId ?? 0
      const range = { after: sent, most: NOTICES_MAX }
      const missed = lastId === null ? [] : await findNoticesAfter(this.#db, [userId], range)
      reader.waiting.unshift(...missed.map(({ notice }) => notice))
      while (!signal?.aborted) {
        for (const notice of reader.waiting.splice(0)) {
          if (notice.id <= sent) continue
          sent = notice.id
          yield notice
        }
        if (reader.waiting.length > 0 || signal?.aborted) continue
        await new Promise<void>((resolve) => {
          reader.wake = resolve
        })
      }
    } finally {
      signal?.removeEventListener('abort', onAbort)
      this.#leave(userId, reader)
    }
  }

  #leave(userId: UserId, reader: Reader): void {
    const readers = this.#readers.get(userId)
    readers?.delete(reader)
    if (readers?.size === 0) this.#readers.delete(userId)
    if (this.#readers.size === 0) this.#last = null
  }

  /** Reads new notices now; two reads never run at once. */
  poll(): Promise<void> {
    const polled = this.#polling.then(() => this.#deliverNew())
    this.#polling = polled.catch(() => undefined)
    return polled
  }

  async #deliverNew(): Promise<void> {
    if (this.#readers.size === 0) return
    const end = await findLastNoticeId(this.#db)
    // After a restore from a backup, the last id may be lower than before the restore.
    const after = this.#last === null ? end : Math.min(this.#last, end)
    if (after === end) {
      this.#last = end
      return
    }
    const found = await findNoticesAfter(this.#db, [...this.#readers.keys()], { after, most: PAGE })
    const lastFound = found.at(-1)?.notice.id ?? end
    this.#last = found.length < PAGE ? Math.max(end, lastFound) : lastFound
    for (const { userId, notice } of found) {
      for (const reader of this.#readers.get(userId) ?? []) {
        reader.waiting.push(notice)
        if (reader.waiting.length > NOTICES_MAX) reader.waiting.shift()
        reader.wake()
      }
    }
  }
}
