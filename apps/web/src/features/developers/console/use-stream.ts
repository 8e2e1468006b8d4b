import { RECONNECT_MS } from '@papermoon/client/reconnect'
import { useEffect, useRef, useState } from 'react'
import type { MarketEvent } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/api/server-now.ts'
import { addEntries, type Entry, EVENTS_MAX } from './event-list.ts'

/** Min time between two updates of the page, in ms. A busy market has dozens of events per second. */
const DRAW_EVERY_MS = 250

export interface Stream {
  readonly state: StreamState | 'closed'
  readonly entries: readonly Entry[]
  readonly isPaused: boolean
  /** Number of events that have arrived since the pause began. */
  readonly waiting: number
  readonly open: () => void
  readonly close: () => void
  readonly setPaused: (isPaused: boolean) => void
  readonly clear: () => void
}

/**
 * Returns the events from a URL, from `open` until `close` or until the component unmounts. If the URL is null, there
 * are no events.
 */
export function useStream(address: string | null): Stream {
  const [state, setState] = useState<StreamState | 'closed'>('closed')
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const [isPaused, setPaused] = useState(false)
  const [waiting, setWaiting] = useState(0)
  const buffer = useRef<Entry[]>([])
  const nextId = useRef(0)
  const isOpen = state !== 'closed'

  useEffect(() => {
    if (!isOpen || address === null) return
    return openStream(address, {
      onState: setState,
      onEvent: (event) => {
        buffer.current.push({ id: nextId.current++, atMs: serverNow(), event })
        if (buffer.current.length > EVENTS_MAX) buffer.current.shift()
      },
    })
  }, [isOpen, address])

  useEffect(() => {
    if (!isOpen) return
    const draw = () => {
      if (isPaused) return setWaiting(buffer.current.length)
      const fresh = buffer.current.splice(0)
      setWaiting(0)
      if (fresh.length > 0) setEntries((before) => addEntries(before, fresh))
    }
    draw()
    const timer = setInterval(draw, DRAW_EVERY_MS)
    return () => clearInterval(timer)
  }, [isOpen, isPaused])

  return {
    state,
    entries,
    isPaused,
    waiting,
    open: () => setState('connecting'),
    close: () => {
      setState('closed')
      setPaused(false)
    },
    setPaused,
    clear: () => {
      buffer.current = []
      setEntries([])
      setWaiting(0)
    },
  }
}

type StreamState = 'connecting' | 'live' | 'away'

interface StreamListener {
  readonly onEvent: (event: MarketEvent) => void
  readonly onState: (state: StreamState) => void
}

const NAMES = ['launch', 'trade', 'rug'] as const
/** The value of `EventSource.CLOSED`, which means that the browser no longer retries. */
const CLOSED = 2

/**
 * Opens an `/api/events` URL in the same way as any other page. After a lost connection, the browser resumes the
 * stream. If the browser has given up, this function reconnects. The stream closes while the page is hidden, because
 * over HTTP/1.1 a browser has only six connections for all pages of a site. Returns a function that closes the stream.
 */
function openStream(address: string, { onEvent, onState }: StreamListener): () => void {
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
  const close = () => {
    clearTimeout(timer)
    source?.close()
  }
  const change = () => {
    close()
    if (!document.hidden) open()
  }
  change()
  document.addEventListener('visibilitychange', change)
  return () => {
    document.removeEventListener('visibilitychange', change)
    close()
  }
}
