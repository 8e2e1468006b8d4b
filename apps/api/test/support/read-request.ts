import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** Returns the body of a request, or null if the client disconnected before its end, like a server that is closed. */
export async function readRequest(request: IncomingMessage): Promise<Buffer | null> {
  return await buffer(request).catch(() => null)
}
