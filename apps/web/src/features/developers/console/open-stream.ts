import { RECONNECT_MS } from '@papermoon/client/reconnect'
import type { MarketEvent } from '@papermoon/live'

export type StreamState = 'connecting' | 'live' | 'away'

interface StreamListener {
  readonly onEvent: (event: MarketEvent) => void
  readonly onState: (state: StreamState) => void
}

const NAMES = ['launch', 'trade', 'rug'] as const
/** `EventSource.CLOSED`: the browser tries no more by itself. */
const CLOSED = 2

/**
 * Opens an address of `/api/events` as any page would. After a loss the browser opens it again where it stopped, and this
 * does where the browser has given up. Returns a function that closes it.
 */
export function openStream(address: string, { onEvent, onState }: StreamListener): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    onState('connecting')
    const opened = new EventSource(address)
    source = opened
    opened.onopen = () => onState('live')
    opened.onerror = () => {
      onState('away')
      if (opened.readyState === CLOSED) timer = setTimeout(open, RECONNECT_MS)
    }
    for (const name of NAMES)
      opened.addEventListener(name, ({ data }) => onEvent(JSON.parse(String(data)) as MarketEvent))
  }
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}
