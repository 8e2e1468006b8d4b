import { findSegmentStart, formatLsn, formatSegmentName, type Lsn } from '@papermoon/db/backup'
import { toChunks, type Vault } from '../place/vault.ts'
import { REACHED, toWalFolder } from '../restore/choose-backup.ts'

interface ArchivePlan {
  readonly timeline: number
  readonly segmentBytes: number
  /** Where the stream begins: the start of a segment. */
  readonly from: Lsn
  /** Called with the end of each segment once it is stored everywhere. */
  onStored(end: Lsn): void
}

/**
 * Stores a stream of WAL, segment by segment, in the folders of the backups that it follows: usually the newest one, and the next
 * one while that is taken. So each backup's folder has all that a moment after it needs. Calls are queued.
 */
export class WalArchive {
  readonly #vault: Vault
  readonly #plan: ArchivePlan
  readonly #followed = new Set<string>()
  readonly #segment: Buffer
  #start: Lsn
  #filled = 0
  /** Bytes of the segment that are stored as a partial file. */
  #storedPartial = 0
  #queue: Promise<unknown> = Promise.resolve()

  constructor(vault: Vault, plan: ArchivePlan) {
    this.#vault = vault
    this.#plan = plan
    this.#segment = Buffer.alloc(plan.segmentBytes)
    this.#start = findSegmentStart(plan.from, plan.segmentBytes)
  }

  /** Everything before it was received. */
  get position(): Lsn {
    return this.#start + BigInt(this.#filled)
  }

  /** Stores what follows also for this backup. */
  follow(id: string): Promise<void> {
    return this.#enqueue(async () => {
      this.#followed.add(id)
      this.#storedPartial = 0
    })
  }

  unfollow(id: string): Promise<void> {
    return this.#enqueue(async () => void this.#followed.delete(id))
  }

  append({ start, data }: { readonly start: Lsn; readonly data: Buffer }): Promise<void> {
    return this.#enqueue(async () => {
      if (start !== this.position)
        throw new Error(`WAL of ${formatLsn(start)} does not follow ${formatLsn(this.position)}`)
      for (let taken = 0; taken < data.length; ) {
        const piece = data.subarray(taken, taken + this.#segment.length - this.#filled)
        piece.copy(this.#segment, this.#filled)
        this.#filled += piece.length
        taken += piece.length
        if (this.#filled === this.#segment.length) await this.#finishSegment()
      }
    })
  }

  /** Stores the begun segment too, and that the archive holds every commit before `at`. */
  reach(at: Date): Promise<void> {
    return this.#enqueue(async () => {
      const bytes = this.#segment.subarray(0, this.#filled)
      const isNew = this.#filled > this.#storedPartial
      for (const id of this.#followed) {
        if (isNew) await this.#vault.write(`${this.#toPath(id)}.partial`, toChunks(bytes))
        const reached = { at: at.toISOString(), lsn: formatLsn(this.position) }
        await this.#vault.writeJson(`${toWalFolder(id)}${REACHED}`, reached)
      }
      this.#storedPartial = this.#filled
    })
  }

  async #finishSegment(): Promise<void> {
    for (const id of this.#followed) {
      const path = this.#toPath(id)
      await this.#vault.write(path, toChunks(this.#segment))
      if (this.#storedPartial > 0) await this.#vault.place.remove(this.#vault.toStoredName(`${path}.partial`, true))
    }
    this.#start += BigInt(this.#filled)
    this.#filled = 0
    this.#storedPartial = 0
    this.#plan.onStored(this.#start)
  }

  #toPath(id: string): string {
    const { timeline, segmentBytes } = this.#plan
    return `${toWalFolder(id)}${formatSegmentName(timeline, this.#start, segmentBytes)}`
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => {})
    return done
  }
}
