import { addAbortSignal, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Enough for a million trades over a slow phone connection. */
const STREAM_MAX_MS = 30 * 60_000
/** A client that takes no byte for so long loses its slot. */
const STALL_MAX_MS = 30_000

/**
 * Bounds a download: it ends after half an hour, when its client takes no byte for 30 s, and with its session or API key.
 * `wasFound`: its player was found by that. A stream that ends early closes its connection without the last chunk, so that every HTTP client notices.
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
    // Nothing is left unsent, so the client waits for us, not we for it.
    if (reply.raw.writableLength === 0)
      reply.raw.off('timeout', cutOffIfStalled).setTimeout(stallMaxMs, cutOffIfStalled)
    else stream.destroy(new Error('nobody took a byte of a download'))
  }
  reply.raw.setTimeout(stallMaxMs, cutOffIfStalled)
}
