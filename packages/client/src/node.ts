import { createPapermoonClient as createClient } from './create-papermoon-client.ts'
import type { ClientOptions, PapermoonClient } from './types.ts'

export { isPapermoonError } from './errors.ts'
export { StreamRefusedError } from './events.ts'
export { repeatUntilAnswered } from './repeat.ts'

/** Node has a built-in WebSocket since version 22. Older versions of Node need the package `ws`. */
const OwnSocket = globalThis.WebSocket ?? (await import('ws')).WebSocket

/** Creates the packed client for Node, with a WebSocket on every Node version. */
export function createPapermoonClient(options: ClientOptions): PapermoonClient {
  return createClient({ ...options, WebSocket: options.WebSocket ?? OwnSocket })
}
