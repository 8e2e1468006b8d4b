import type { Db } from '@papermoon/db'
import { type DemoWorld, findDemoWorld } from '../house/demo-world.ts'
import type { LiveFeed } from './live-feed.ts'

interface HistoryParts {
  readonly db: Db
  readonly feed: Pick<LiveFeed, 'noteChange'>
  /** The demo world as it was before the feed began. */
  readonly world: DemoWorld | null
  /** Whether this server makes the demo world, and so goes on with one that an earlier process began. */
  readonly hasDemoWorld: boolean
}

/** Several times the time that a history takes on a busy machine. */
const WRITING_MAX_MS = 5 * 60_000

/**
 * Notices when the history of the demo world has been written, by this or another node: in one transaction and without
 * events, since nobody needs two weeks of them. Its positions were reserved before, so every reader has passed them.
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

  /** State at the last `refresh`. */
  get isBeingWritten(): boolean {
    return this.#isBeingWritten
  }

  /** Has every answer read again once the history was written. Reads nothing more after that. */
  async refresh(): Promise<void> {
    if (this.#isWritten) return
    const world = await findDemoWorld(this.#parts.db)
    if (isWritten(world)) {
      this.#parts.feed.noteChange()
      this.#isWritten = true
    }
    this.#isBeingWritten = this.#isInWork(world)
  }

  /** A server without a demo world cannot know whether another one still writes, so it believes that for some minutes. */
  #isInWork(world: DemoWorld | null): boolean {
    if (world?.state !== 'writing') return false
    return this.#parts.hasDemoWorld || Date.now() - world.began_at.getTime() < WRITING_MAX_MS
  }
}

function isWritten(world: DemoWorld | null): boolean {
  return world !== null && world.written_at !== null
}
