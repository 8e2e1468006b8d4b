import type { ConnectionState } from '@papermoon/client'
import { deviceNow } from '../api/server-now.ts'
import { lazyImport } from '../boot/lazy-import.ts'
import { createStore } from '../ui/stored.ts'

export type LiveApi = typeof import('./live-client.ts')['subscriptions']

/** The state is `connecting` until the first result, because the page would otherwise show "Offline" for a moment. */
const connection = createStore<ConnectionState>({ state: 'connecting', since: deviceNow() })
export const { get: currentConnection, subscribe: onConnectionChange, use: useConnection } = connection
let opening: Promise<LiveApi> | undefined

/**
 * Opens the live connection once, and opens it again 3 seconds after it closes. Throws if the connection's code cannot
 * be loaded.
 */
export function openSocket(): Promise<LiveApi> {
  opening ??= open()
  return opening
}

async function open(): Promise<LiveApi> {
  try {
    const { follow, subscriptions } = await lazyImport(loadClient)
    follow(become)
    return subscriptions
  } catch (error) {
    opening = undefined
    throw error
  }
}

/** Load the WebSocket client lazily, because screens render without it. */
async function loadClient() {
  try {
    return await import('./live-client.ts')
  } catch (error) {
    become({ state: 'offline', since: deviceNow() })
    throw error
  }
}

function become(next: ConnectionState): void {
  if (next.state !== currentConnection().state) connection.set(next)
}
