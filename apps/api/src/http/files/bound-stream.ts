import { addAbortSignal, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Max time for a download in ms, enough for a million trades over a slow phone. */
const STREAM_MAX_MS = 30 * 60_000
/** How long a client may read nothing before its download ends, in ms. */
const STALL_MAX_MS = 30_000

/**
 * Ends a download after half an hour, after 30 s without reading, or with its session or API key. `wasFound` says
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
    // If nothing is unsent, the client is waiting for the server.
    if (reply.raw.writableLength === 0)
      reply.raw.off('timeout', cutOffIfStalled).setTimeout(stallMaxMs, cutOffIfStalled)
    else stream.destroy(new Error('nobody took a byte of a download'))
  }
  reply.raw.setTimeout(stallMaxMs, cutOffIfStalled)
}
