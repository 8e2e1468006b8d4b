import { useSyncExternalStore } from 'react'
import type { Motion } from './motion.ts'
import { readStored, store } from './stored.ts'

/** Storage key of the disabled motions, separated by spaces. public/color-scheme.js reads it before the first paint. */
const DISABLED_MOTIONS_KEY = 'papermoon-still'
const SOUND_KEY = 'papermoon-sound'
const DEFAULT_VOLUME = 60

const listeners = new Set<() => void>()
/** Values that the browser could not store, by key. */
const unstored = new Map<string, string>()

/** The motions that the player disabled. `all` disables all of them without changing their own switches. */
export type DisabledMotions = ReadonlySet<Motion | 'all'>

/** Whether sounds are on, and their volume. Default: off. */
export interface SoundChoice {
  readonly isOn: boolean
  /** The volume from 1 to 100. */
  readonly volume: number
}

export function readDisabledMotions(): DisabledMotions {
  return parseDisabledMotions(read(DISABLED_MOTIONS_KEY))
}

export function useDisabledMotions(): DisabledMotions {
  return parseDisabledMotions(useSyncExternalStore(subscribe, () => read(DISABLED_MOTIONS_KEY)))
}

export function setDisabledMotions(disabled: DisabledMotions): void {
  const words = [...disabled].join(' ')
  if (words === '') delete document.documentElement.dataset.still
  else document.documentElement.dataset.still = words
  write(DISABLED_MOTIONS_KEY, words)
}

/** Returns the player's choice about sounds. Returns off and 60 % if no readable choice is stored. */
export function storedSound(): SoundChoice {
  return parseSound(read(SOUND_KEY))
}

export function useSound(): SoundChoice {
  return parseSound(useSyncExternalStore(subscribe, () => read(SOUND_KEY)))
}

export function chooseSound({ isOn, volume }: SoundChoice): void {
  write(SOUND_KEY, `${isOn ? 'on' : 'off'} ${volume}`)
}

function parseDisabledMotions(words: string): DisabledMotions {
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
  return unstored.get(key) ?? readStored(key) ?? ''
}

function write(key: string, value: string): void {
  store(key, value)
  // If storage is blocked, the choice lasts for this visit.
  if (readStored(key) === value) unstored.delete(key)
  else unstored.set(key, value)
  for (const listener of listeners) listener()
}
