import { BATCH_MAX } from './batch.ts'

/** A WebSocket class that takes `{ headers }` where a browser's takes protocols, as those of Node and of `ws` do. */
export type SocketClass = typeof WebSocket

/** The headers of an upgrade, asked for at each; null in a browser, which adds its cookies and nothing else. */
export type SocketHeaders = (() => Record<string, string>) | null

/**
 * A class of sockets that say who opens them, and that split what is larger than a batch: after a break, tRPC asks for
 * all subscriptions in one message.
 */
export function boundedSocket(Base: SocketClass, headers: SocketHeaders): SocketClass {
  return class extends Base {
    constructor(url: string | URL) {
      // `never`: a browser's type knows nothing of headers, and there none are given.
      super(url, ...(headers === null ? [] : [{ headers: headers() } as never]))
    }

    override send(data: Parameters<WebSocket['send']>[0]): void {
      for (const part of partsOf(data)) super.send(part)
    }
  }
}

function partsOf(data: Parameters<WebSocket['send']>[0]): Parameters<WebSocket['send']>[0][] {
  const calls: unknown = typeof data === 'string' && data.startsWith('[') ? JSON.parse(data) : null
  if (!Array.isArray(calls)) return [data]
  const starts = Array.from({ length: Math.ceil(calls.length / BATCH_MAX) }, (_, part) => part * BATCH_MAX)
  return starts.map((start) => JSON.stringify(calls.slice(start, start + BATCH_MAX)))
}
