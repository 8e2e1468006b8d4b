import type { ConnectionState } from '@papermoon/client'
import { loadLate } from '../boot/lazy-import.ts'

/** What subscribes to the API. */
export type LiveApi = typeof import('./live-client.ts')['live']

/** `connecting` until the first answer: an indicator that says Offline on every page load would cry wolf. */
let state: ConnectionState = { state: 'connecting', since: Date.now() }
let opening: Promise<LiveApi> | undefined
const listeners = new Set<() => void>()

/** The state of the live connection, now. */
export function currentConnection(): ConnectionState {
  return state
}

/** Calls `listener` at each change; returns the way to stop. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Opens the live connection if it is not open yet. It then stays, and comes back 3 seconds after a close. Throws when its
 * code does not come for long.
 */
export function openSocket(): Promise<LiveApi> {
  opening ??= open()
  return opening
}

async function open(): Promise<LiveApi> {
  try {
    const { connection, live } = await loadLate(loadClient)
    become(connection.current())
    connection.onChange(become)
    return live
  } catch (error) {
    opening = undefined
    throw error
  }
}

/** No screen waits for the socket's code to be drawn. */
async function loadClient() {
  try {
    return await import('./live-client.ts')
  } catch (error) {
    become({ state: 'offline', since: Date.now() })
    throw error
  }
}

function become(next: ConnectionState): void {
  if (next.state === state.state) return
  state = next
  for (const listener of listeners) listener()
}
