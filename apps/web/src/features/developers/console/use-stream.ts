import { useEffect, useRef, useState } from 'react'
import { addEntries, type Entry, EVENTS_MAX, type EventFilter, isWanted } from './event-list.ts'
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

/** The live events that pass `filter`, from `open` until `close` or until the component is gone. */
export function useStream(filter: EventFilter): Stream {
  const [state, setState] = useState<StreamState | 'closed'>('closed')
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const [isPaused, setPaused] = useState(false)
  const [waiting, setWaiting] = useState(0)
  const buffer = useRef<Entry[]>([])
  const wanted = useRef(filter)
  wanted.current = filter
  const nextId = useRef(0)
  const isOpen = state !== 'closed'

  useEffect(() => {
    if (!isOpen) return
    return openStream({
      onState: setState,
      onEvent: (event) => {
        if (!isWanted(event, wanted.current)) return
        buffer.current.push({ id: nextId.current++, atMs: Date.now(), event })
        if (buffer.current.length > EVENTS_MAX) buffer.current.shift()
      },
    })
  }, [isOpen])

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
