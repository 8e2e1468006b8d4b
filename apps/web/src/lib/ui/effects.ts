import type { Motion } from './motion.ts'

/** Words of what stays still; public/color-scheme.js reads them before the first paint. */
const STILL_KEY = 'papermoon-still'
const SOUND_KEY = 'papermoon-sound'
const DEFAULT_VOLUME = 60

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
  return new Set(read(STILL_KEY).split(' ').filter(Boolean) as (Motion | 'all')[])
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
  const [state, volume] = read(SOUND_KEY).split(' ')
  const level = Number(volume)
  return { isOn: state === 'on', volume: level >= 1 && level <= 100 ? level : DEFAULT_VOLUME }
}

export function chooseSound({ isOn, volume }: SoundChoice): void {
  write(SOUND_KEY, `${isOn ? 'on' : 'off'} ${volume}`)
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Storage is blocked: applies to this visit only.
  }
}
