import { useSyncExternalStore } from 'react'
import type { Trader } from './trade-marks.ts'

const KEY = 'papermoon-hidden-marks'

export type ShownMarks = Readonly<Record<Trader, boolean>>

const listeners = new Set<() => void>()
let shown: ShownMarks | null = null

/** Whose trades the charts mark, kept on the device; by default all. */
export function useShownMarks(): ShownMarks {
  return useSyncExternalStore(subscribe, current)
}

/** Shows or hides the marks of an owner on every chart. */
export function showMarks(who: Trader, isShown: boolean): void {
  shown = { ...current(), [who]: isShown }
  const hidden = [...(shown.own ? [] : ['own']), ...(shown.creator ? [] : ['creator'])].join(' ')
  try {
    if (hidden === '') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, hidden)
  } catch {
    // Storage is blocked: applies to this page only.
  }
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
  try {
    const hidden = (localStorage.getItem(KEY) ?? '').split(' ')
    return { own: !hidden.includes('own'), creator: !hidden.includes('creator') }
  } catch {
    return { own: true, creator: true }
  }
}
