import type { Db } from '@papermoon/db'
import { type DemoWorld, findDemoWorld } from '../house/demo-world.ts'
import type { LiveFeed } from './live-feed.ts'

interface HistoryParts {
  readonly db: Db
  readonly feed: Pick<LiveFeed, 'noteChange'>
  /** State of the demo world that was read before the feed started. */
  readonly world: DemoWorld | null
  /** Whether this server writes the demo world, or completes one that an earlier process began. */
  readonly hasDemoWorld: boolean
}

/** Max time for writing the history, in ms: several times what a busy machine needs. */
const WRITING_MAX_MS = 5 * 60_000

/**
 * Notices when this or another node has written the demo world's history. One transaction writes the history without
 * events, because nobody needs two weeks of events. The feed starts at a position after the history.
 */
export class WrittenHistory {
  readonly #parts: Omit<HistoryParts, 'world'>
  #isWritten: boolean
  #isBeingWritten: boolean

  constructor({ world, ...parts }: HistoryParts) {
    this.#parts = parts
    this.#isWritten = isWritten(world)
    this.#isBeingWritten = this.#isInWork(world)
  }

  /** Whether the history was being written at the last `refresh`. */
  get isBeingWritten(): boolean {
    return this.#isBeingWritten
  }

  /** Makes caches read everything again as soon as the history is written. Calls after the first one do nothing. */
  async refresh(): Promise<void> {
    if (this.#isWritten) return
    const world = await findDemoWorld(this.#parts.db)
    if (isWritten(world)) {
      this.#parts.feed.noteChange()
      this.#isWritten = true
    }
    this.#isBeingWritten = this.#isInWork(world)
  }

  /**
   * For some minutes after its start, a server without a demo world assumes that another server is still writing the
   * history.
   */
  #isInWork(world: DemoWorld | null): boolean {
    if (world?.state !== 'writing') return false
    return this.#parts.hasDemoWorld || Date.now() - world.began_at.getTime() < WRITING_MAX_MS
  }
}

function isWritten(world: DemoWorld | null): boolean {
  return world !== null && world.written_at !== null
}
