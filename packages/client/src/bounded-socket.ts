import { BATCH_MAX } from './batch.ts'
import type { SocketClass } from './types.ts'

/** Returns the headers for opening the socket, or null in a browser, which can send only its cookies. */
export type SocketHeaders = (() => Record<string, string>) | null

/**
 * Creates a WebSocket class that sends credentials and splits messages that are larger than a batch. Splitting is
 * needed, because tRPC sends all subscriptions in one message after reconnecting.
 */
export function createSocketClass(Base: SocketClass | undefined, headers: SocketHeaders): typeof WebSocket {
  // A cast is safe, because the classes of `ws` and Node differ from the DOM's only in types that tRPC does not use.
  return class extends ((Base ?? NoSocket) as typeof WebSocket) {
    constructor(url: string | URL) {
      // Use `as never`, because the DOM's type has no argument for headers. In browsers, `headers` is null.
      super(url, ...(headers === null ? [] : [{ headers: headers() } as never]))
    }

    override send(data: Parameters<WebSocket['send']>[0]): void {
      for (const part of splitMessage(data)) super.send(part)
    }
  }
}

/** The class throws only when a socket opens, so a Node without WebSocket can still make calls. */
class NoSocket {
  constructor() {
    throw new Error(
      'This runtime has no WebSocket. Give the client a WebSocket class, such as the one of the package ws.',
    )
  }
}

function splitMessage(data: Parameters<WebSocket['send']>[0]): Parameters<WebSocket['send']>[0][] {
  const calls: unknown = typeof data === 'string' && data.startsWith('[') ? JSON.parse(data) : null
  if (!Array.isArray(calls)) return [data]
  const starts = Array.from({ length: Math.ceil(calls.length / BATCH_MAX) }, (_, part) => part * BATCH_MAX)
  return starts.map((start) => JSON.stringify(calls.slice(start, start + BATCH_MAX)))
}
