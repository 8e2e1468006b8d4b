import { useSyncExternalStore } from 'react'
import { readStored, store } from '../../../lib/ui/stored.ts'
import type { Trader } from './trade-marks.ts'

const KEY = 'papermoon-hidden-marks'

export type ShownMarks = Readonly<Record<Trader, boolean>>

const listeners = new Set<() => void>()
let shown: ShownMarks | null = null

/** Whose trades the charts mark, kept on the device; by default all. */
export function useShownMarks(): ShownMarks {
  return useSyncExternalStore(subscribe, current)
}

export function showMarks(who: Trader, isShown: boolean): void {
  shown = { ...current(), [who]: isShown }
  const hidden = [...(shown.own ? [] : ['own']), ...(shown.creator ? [] : ['creator'])].join(' ')
  store(KEY, hidden === '' ? null : hidden)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function current(): ShownMarks {
  shown ??= read()
  return shown
}

function read(): ShownMarks {
  const hidden = (readStored(KEY) ?? '').split(' ')
  return { own: !hidden.includes('own'), creator: !hidden.includes('creator') }
}
