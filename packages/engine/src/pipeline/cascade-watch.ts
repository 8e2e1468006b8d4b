import type { TokenId } from '@papermoon/contract/ids'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Timers } from '../clock.ts'

/** Time between two checks for abandoned cascades, in ms. */
const LOOK_EVERY_MS = 400

interface WatchParts {
  readonly pool: pg.Pool
  readonly timers: Timers
  readonly log: Logger
  /** Called for each cascade without progress between two checks, with its number of batches. */
  onStuck(tokenId: TokenId, batches: number): void
}

/** Finds cascades that were abandoned because the node that began them stopped. */
export class CascadeWatch {
  readonly #parts: WatchParts
  #previous: ReadonlyMap<TokenId, string> = new Map()
  #cancelNext: () => void
  #looking: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(parts: WatchParts) {
    this.#parts = parts
    this.#cancelNext = this.#schedule()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelNext()
    await this.#looking
  }

  #schedule(): () => void {
    return this.#parts.timers.after(LOOK_EVERY_MS, () => {
      this.#looking = this.#look().finally(() => {
        if (!this.#isClosed) this.#cancelNext = this.#schedule()
      })
    })
  }

  /** Checks for abandoned cascades. Never rejects. */
  async #look(): Promise<void> {
    try {
      const { rows } = await this.#parts.pool.query<{ token_id: TokenId; cascade: number; cascade_batches: number }>(
        'select token_id, cascade, cascade_batches from pools where cascade_from is not null order by token_id limit 100',
      )
      if (this.#isClosed) return
      const current = new Map(rows.map((row) => [row.token_id, `${row.cascade} ${row.cascade_batches}`]))
      for (const { token_id: tokenId, cascade_batches: batches } of rows) {
        if (this.#previous.get(tokenId) === current.get(tokenId)) this.#parts.onStuck(tokenId, batches)
      }
      this.#previous = current
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'cascades under way could not be looked for')
    }
  }
}
