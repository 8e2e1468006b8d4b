import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { CachedKind, Memory } from '../../cache/memory.ts'
import { defineError } from '../../errors.ts'
import { createWorkQueue, type WorkQueue } from '../../lib/work-queue.ts'
import type { Card } from './card.ts'
import type { DrawOrder } from './share-worker.ts'

/** The queue of pictures is full. */
class ShareQueueFullError extends defineError(
  'BUSY',
  'Too many pictures are being drawn. Please try again in 5 seconds.',
  { retryAfterS: 5 },
) {}

/** Version of the drawings. Raise this version when the drawings change, so that pictures get new names. */
const LOOK = 2
const pictures: CachedKind<Uint8Array> = { name: 'picture', sizeKb: ({ length }) => length / 1_024 }
/** Max number of waiting pictures. The waiting pictures take about a second to draw. */
const WAITING_MAX = 8
/** Max time to draw a picture, in ms. Drawing takes a tenth of a second, or a few tenths when a font is opened. */
const DRAW_MAX_MS = 15_000
/** Idle time after which the drawing thread ends, in ms. Ending the thread frees the memory of its fonts. */
const IDLE_MS = 60_000

/**
 * Draws cards one at a time in a worker thread, so that the market never waits for a picture. The thread starts when
 * the first card is drawn. The most recently used pictures are cached.
 */
export class SharePainter {
  readonly #memory: Memory
  readonly #work: WorkQueue = createWorkQueue({
    runningMax: 1,
    waitingMax: WAITING_MAX,
    full: () => new ShareQueueFullError(),
  })
  #thread: Worker | null = null
  #idle: NodeJS.Timeout | null = null

  constructor(memory: Memory) {
    this.#memory = memory
  }

  /** Returns the name of a card's picture. Two pictures with the same name are equal. */
  toName(card: Card): string {
    return createHash('sha256')
      .update(`${LOOK} ${JSON.stringify(card)}`)
      .digest('base64url')
  }

  /**
   * Returns a card as a PNG. `readPicture` reads the player's profile picture as a PNG, if it is needed. Throws
   * `ShareQueueFullError`.
   */
  paint(ip: string, card: Card, readPicture: () => Promise<Uint8Array | null>): Promise<Uint8Array> {
    const sharing = { freshMs: Number.POSITIVE_INFINITY }
    return this.#memory.share(pictures, this.toName(card), sharing, () =>
      this.#work(ip, async () => await this.#draw({ card, picture: await readPicture() })),
    )
  }

  /** Ends the thread. Pending pictures fail with an error. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#forget()
    await thread?.terminate()
  }

  async #draw(order: DrawOrder): Promise<Uint8Array> {
    const thread = this.#thread ?? this.#start()
    if (this.#idle !== null) clearTimeout(this.#idle)
    try {
      return await draw(thread, order)
    } catch (error) {
      this.#forget()
      await thread.terminate()
      throw error
    } finally {
      if (this.#thread === thread) this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
    }
  }

  #start(): Worker {
    const thread = new Worker(new URL('share-worker.ts', import.meta.url))
    thread.unref()
    this.#thread = thread
    return thread
  }

  #forget(): void {
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#idle = null
    this.#thread = null
  }
}

async function draw(thread: Worker, order: DrawOrder): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const ended = () => reject(new ShareQueueFullError())
  thread.once('message', resolve).once('error', reject).once('exit', ended)
  const timer = setTimeout(ended, DRAW_MAX_MS)
  thread.postMessage(order)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    thread.off('message', resolve).off('error', reject).off('exit', ended)
  }
}
