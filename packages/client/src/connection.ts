import type { TRPCWebSocketClient } from '@trpc/client'

export interface ConnectionState {
  /** `idle` while nobody subscribes; `offline` when a connection was lost, or could not be made, and is tried again. */
  readonly state: 'idle' | 'connecting' | 'live' | 'offline'
  /** When the state began, ms since the epoch. */
  readonly since: number
}

/** The state of the live connection, to be asked for or followed. */
export interface Connection {
  current(): ConnectionState
  /** Calls `listener` at each change; returns the way to stop. */
  onChange(listener: (state: ConnectionState) => void): () => void
}

export function connectionOf(socket: TRPCWebSocketClient): Connection {
  const listeners = new Set<(state: ConnectionState) => void>()
  const begun = socket.connectionState.get()
  let current: ConnectionState = { state: nameOf(begun.state, false), since: Date.now() }
  socket.connectionState.subscribe({
    next: ({ state, error }) => {
      const now = nameOf(state, error !== null)
      if (now === current.state) return
      current = { state: now, since: Date.now() }
      for (const listener of listeners) listener(current)
    },
  })
  return {
    current: () => current,
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function nameOf(state: 'idle' | 'connecting' | 'pending', wasLost: boolean): ConnectionState['state'] {
  if (state === 'pending') return 'live'
  return state === 'connecting' && wasLost ? 'offline' : state
}
