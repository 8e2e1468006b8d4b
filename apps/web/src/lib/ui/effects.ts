import { useSyncExternalStore } from 'react'
import type { Motion } from './motion.ts'

/** Words of what stays still; public/color-scheme.js reads them before the first paint. */
const STILL_KEY = 'papermoon-still'
const SOUND_KEY = 'papermoon-sound'
const DEFAULT_VOLUME = 60

const listeners = new Set<() => void>()
/** What blocked storage could not take. */
const unstored = new Map<string, string>()

/** What the player switched off: `all`, or single motions. Switches of single motions survive `all`. */
export type Still = ReadonlySet<Motion | 'all'>

/** Sounds are off until the player wants them. */
export interface SoundChoice {
  readonly isOn: boolean
  /** 1 to 100. */
  readonly volume: number
}

/** What this browser keeps still. */
export function storedStill(): Still {
  return parseStill(read(STILL_KEY))
}

/** What is kept still, followed. */
export function useStill(): Still {
  return parseStill(useSyncExternalStore(subscribe, () => read(STILL_KEY)))
}

/** Applies and stores what stays still. */
export function chooseStill(still: Still): void {
  const words = [...still].join(' ')
  if (words === '') delete document.documentElement.dataset.still
  else document.documentElement.dataset.still = words
  write(STILL_KEY, words)
}

/** The stored choice; off at 60 % where none or an unreadable one is stored. */
export function storedSound(): SoundChoice {
  return parseSound(read(SOUND_KEY))
}

/** The choice of sound, followed. */
export function useSound(): SoundChoice {
  return parseSound(useSyncExternalStore(subscribe, () => read(SOUND_KEY)))
}

export function chooseSound({ isOn, volume }: SoundChoice): void {
  write(SOUND_KEY, `${isOn ? 'on' : 'off'} ${volume}`)
}

function parseStill(words: string): Still {
  return new Set(words.split(' ').filter(Boolean) as (Motion | 'all')[])
}

function parseSound(text: string): SoundChoice {
  const [state, volume] = text.split(' ')
  const level = Number(volume)
  return { isOn: state === 'on', volume: level >= 1 && level <= 100 ? level : DEFAULT_VOLUME }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(key: string): string {
  try {
    return unstored.get(key) ?? localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
    unstored.delete(key)
  } catch {
    // Storage is blocked: applies to this visit only.
    unstored.set(key, value)
  }
  for (const listener of listeners) listener()
}
