import type { TRPCWebSocketClient } from '@trpc/client'
import type { Connection, ConnectionState } from './types.ts'

export function watchConnection(socket: TRPCWebSocketClient): Connection {
  const listeners = new Set<(state: ConnectionState) => void>()
  const begun = socket.connectionState.get()
  let current: ConnectionState = { state: toState(begun.state, false), since: Date.now() }
  socket.connectionState.subscribe({
    next: ({ state, error }) => {
      const now = toState(state, error !== null)
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

function toState(state: 'idle' | 'connecting' | 'pending', wasLost: boolean): ConnectionState['state'] {
  if (state === 'pending') return 'live'
  return state === 'connecting' && wasLost ? 'offline' : state
}
