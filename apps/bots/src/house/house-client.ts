import { createPapermoonClient, type PapermoonClient } from '@papermoon/client'
import { SERVER_BACKOFF, toPauseMs } from '../lib/backoff.ts'

/** A client that reconnects with growing pauses. Without a key it is a guest, who may watch the market. */
export function createHouseClient(url: string, key?: string): PapermoonClient {
  return createPapermoonClient({
    url,
    ...(key !== undefined && { apiKey: key }),
    toReconnectMs: (attempt) => toPauseMs(SERVER_BACKOFF, attempt, Math.random()),
  })
}
