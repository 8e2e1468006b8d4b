import type { Db } from '@papermoon/db'
import type { SealEvent } from '@papermoon/engine'
import { type DemoWorld, findDemoWorld } from '../house/demo-world.ts'
import { readHistorySeqs, readSeals } from './journal.ts'
import type { LiveFeed } from './live-feed.ts'

interface HistoryParts {
  readonly db: Db
  readonly feed: LiveFeed
  /** The demo world as it was before the feed's first sequence numbers were read. */
  readonly world: DemoWorld | null
  /** Whether this server makes the demo world, and so goes on with one that an earlier process began. */
  readonly hasDemoWorld: boolean
}

/** Several times the time that a history takes on a busy machine. */
const WRITING_MAX_MS = 5 * 60_000

/**
 * Notices when the history of the demo world has been written, by this or another node: in one transaction and without
 * events, since nobody needs two weeks of them.
 */
export class WrittenHistory {
  readonly #parts: Omit<HistoryParts, 'world'>
  #isAdopted: boolean
  #isBeingWritten: boolean

  constructor({ world, ...parts }: HistoryParts) {
    this.#parts = parts
    this.#isAdopted = isWritten(world)
    this.#isBeingWritten = this.#isInWork(world)
  }

  /** State at the last `refresh`. */
  get isBeingWritten(): boolean {
    return this.#isBeingWritten
  }

  /** Lets the feed adopt the history once it has been written. Reads nothing more after that. */
  async refresh(): Promise<void> {
    if (this.#isAdopted) return
    const { db, feed } = this.#parts
    const world = await findDemoWorld(db)
    if (isWritten(world)) {
      const tokens = await readHistorySeqs(db)
      const seals = await readSeals(db, { after: 0, tokens: tokens.map(({ tokenId }) => tokenId) })
      const isPast = ({ createdAt }: SealEvent) => Date.parse(createdAt) <= world.written_at.getTime()
      feed.adopt(tokens, seals.map(({ event }) => event).filter(isPast))
      this.#isAdopted = true
    }
    this.#isBeingWritten = this.#isInWork(world)
  }

  /** A server without a demo world cannot know whether another one still writes, so it believes that for some minutes. */
  #isInWork(world: DemoWorld | null): boolean {
    if (world?.state !== 'writing') return false
    return this.#parts.hasDemoWorld || Date.now() - world.began_at.getTime() < WRITING_MAX_MS
  }
}

function isWritten(world: DemoWorld | null): world is DemoWorld & { readonly written_at: Date } {
  return world !== null && world.written_at !== null
}
