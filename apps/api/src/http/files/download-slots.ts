import { addAbortSignal, Readable } from 'node:stream'
import type { Clock } from '@papermoon/engine'
import type { FastifyReply } from 'fastify'

/** How long a piece may wait for its client before the client can lose its slot, in ms. A piece has about 70 KB. */
const SLOW_MS = 5_000

interface Download {
  readonly stream: Readable
  /**
   * The time since which a piece has been waiting for the client. The time is null while the next piece is being
   * created.
   */
  waitsSince: number | null
}

/** A limited number of slots for concurrent downloads. A new download can take the slowest client's slot. */
export class DownloadSlots {
  readonly #clock: Clock
  readonly #max: number
  readonly #open = new Set<Download>()

  constructor(clock: Clock, max: number) {
    this.#clock = clock
    this.#max = max
  }

  /**
   * Returns a stream of the given pieces. Returns null if no slot is free and no client is slow. The slot becomes free
   * when the stream closes.
   */
  open(pieces: AsyncIterable<string>): Readable | null {
    if (this.#open.size >= this.#max && !this.#endSlowest()) return null
    const stream = Readable.from(
      this.#note(pieces, () => download),
      { objectMode: false },
    )
    const download: Download = { stream, waitsSince: null }
    this.#open.add(download)
    stream.once('close', () => this.#open.delete(download))
    return stream
  }

  async *#note(pieces: AsyncIterable<string>, find: () => Download): AsyncGenerator<string> {
    const download = find()
    for await (const piece of pieces) {
      download.waitsSince = this.#clock.now().getTime()
      yield piece
      download.waitsSince = null
    }
  }

  #endSlowest(): boolean {
    const waiting = [...this.#open].filter(({ waitsSince }) => waitsSince !== null)
    const [slowest] = waiting.sort((a, b) => Number(a.waitsSince) - Number(b.waitsSince))
    if (slowest === undefined || this.#clock.now().getTime() - Number(slowest.waitsSince) < SLOW_MS) return false
    this.#open.delete(slowest)
    slowest.stream.destroy(new Error('a slow download was ended for another one'))
    return true
  }
}

/** Max time of a download in ms, enough for a million trades over a slow phone. */
const STREAM_MAX_MS = 30 * 60_000
/** How long a client may read nothing before its download ends, in ms. */
const STALL_MAX_MS = 30_000

/**
 * Ends a download after half an hour, after 30 s without reading, or when its session or API key ends. `wasFound` says
 * whether that credential identified the player. A stream that ends early closes its connection without the last chunk,
 * so that every HTTP client notices.
 */
export function boundStream(
  stream: Readable,
  reply: FastifyReply,
  { wasFound, stallMaxMs = STALL_MAX_MS }: { wasFound: boolean; stallMaxMs?: number },
): void {
  const end = () => stream.destroy(new Error('the session or API key of a download has ended'))
  stream.once('close', reply.server.liveSockets.hold(reply.request, end, wasFound))
  addAbortSignal(AbortSignal.timeout(STREAM_MAX_MS), stream)
  const cutOffIfStalled = () => {
    if (stream.destroyed) return
    // If everything was sent, the client is waiting for the server, and not the server for the client.
    if (reply.raw.writableLength === 0)
      reply.raw.off('timeout', cutOffIfStalled).setTimeout(stallMaxMs, cutOffIfStalled)
    else stream.destroy(new Error('the client of a download read nothing'))
  }
  reply.raw.setTimeout(stallMaxMs, cutOffIfStalled)
}
