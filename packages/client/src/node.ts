import { createPapermoonClient as createClient } from './create-papermoon-client.ts'
import type { ClientOptions, PapermoonClient } from './types.ts'

export { isPapermoonError } from './errors.ts'
export { StreamRefusedError } from './events.ts'
export { repeatUntilAnswered } from './repeat.ts'

/** Node has a WebSocket since version 22. */
const OwnSocket = globalThis.WebSocket ?? (await import('ws')).WebSocket

/** The packed client's version for Node, with a WebSocket on every Node version. */
export function createPapermoonClient(options: ClientOptions): PapermoonClient {
  return createClient({ ...options, WebSocket: options.WebSocket ?? OwnSocket })
}
