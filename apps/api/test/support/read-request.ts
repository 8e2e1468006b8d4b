import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** The body of a request; null if its client gave up before the end, as a server that is closed does. */
export async function readRequest(request: IncomingMessage): Promise<Buffer | null> {
  return await buffer(request).catch(() => null)
}
