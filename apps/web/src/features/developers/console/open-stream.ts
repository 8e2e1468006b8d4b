import { RECONNECT_MS } from '@papermoon/client/reconnect'
import type { MarketEvent } from '@papermoon/live'

export type StreamState = 'connecting' | 'live' | 'away'

interface StreamListener {
  readonly onEvent: (event: MarketEvent) => void
  readonly onState: (state: StreamState) => void
}

/** Opens the event socket as any program would, and again 3 seconds after a loss. Returns a function that closes it. */
export function openStream({ onEvent, onState }: StreamListener): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    onState('connecting')
    socket = new WebSocket(`${window.location.origin.replace('http', 'ws')}/ws`)
    socket.onopen = () => onState('live')
    socket.onmessage = ({ data }) => onEvent(JSON.parse(String(data)) as MarketEvent)
    socket.onclose = () => {
      onState('away')
      timer = setTimeout(open, RECONNECT_MS)
    }
  }
  open()
  return () => {
    clearTimeout(timer)
    if (socket === undefined) return
    socket.onclose = null
    socket.close()
  }
}
