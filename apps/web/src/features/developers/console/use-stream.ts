import { useEffect, useRef, useState } from 'react'
import { addEntries, type Entry, EVENTS_MAX } from './event-list.ts'
import { openStream, type StreamState } from './open-stream.ts'

/** A busy market has dozens of events a second; the page is drawn at most this often, ms. */
const DRAW_EVERY_MS = 250

export interface Stream {
  readonly state: StreamState | 'closed'
  readonly entries: readonly Entry[]
  readonly isPaused: boolean
  /** Events that came since the pause. */
  readonly waiting: number
  readonly open: () => void
  readonly close: () => void
  readonly setPaused: (isPaused: boolean) => void
  readonly clear: () => void
}

/** The events of an address, from `open` until `close` or until the component is gone; none while it is null. */
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
        buffer.current.push({ id: nextId.current++, atMs: Date.now(), event })
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
