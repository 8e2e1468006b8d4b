import type { Motion } from './motion.ts'
import { readSetting, saveSetting, useStored } from './stored.ts'

/**
 * Storage key of the disabled motions, which are separated by spaces. public/color-scheme.js reads it before the first
 * paint.
 */
const DISABLED_MOTIONS_KEY = 'papermoon-still'
const SOUND_KEY = 'papermoon-sound'
const DEFAULT_VOLUME = 60

/** The motions that the player disabled. `all` disables all of them, but does not change their own switches. */
export type DisabledMotions = ReadonlySet<Motion | 'all'>

/** Whether sounds are on (default: off), and their volume. */
export interface SoundChoice {
  readonly isOn: boolean
  /** The volume from 1 to 100. */
  readonly volume: number
}

export function readDisabledMotions(): DisabledMotions {
  return parseDisabledMotions(readSetting(DISABLED_MOTIONS_KEY))
}

export function useDisabledMotions(): DisabledMotions {
  return parseDisabledMotions(useStored(DISABLED_MOTIONS_KEY))
}

export function setDisabledMotions(disabled: DisabledMotions): void {
  const words = [...disabled].join(' ')
  if (words === '') delete document.documentElement.dataset.still
  else document.documentElement.dataset.still = words
  saveSetting(DISABLED_MOTIONS_KEY, words)
}

/** Returns the player's choice about sounds. If no valid choice is stored, sounds are off and the volume is 60 %. */
export function storedSound(): SoundChoice {
  return parseSound(readSetting(SOUND_KEY))
}

export function useSound(): SoundChoice {
  return parseSound(useStored(SOUND_KEY))
}

export function chooseSound({ isOn, volume }: SoundChoice): void {
  saveSetting(SOUND_KEY, `${isOn ? 'on' : 'off'} ${volume}`)
}

function parseDisabledMotions(words: string | null): DisabledMotions {
  return new Set((words ?? '').split(' ').filter(Boolean) as (Motion | 'all')[])
}

function parseSound(text: string | null): SoundChoice {
  const [state, volume] = (text ?? '').split(' ')
  const level = Number(volume)
  return { isOn: state === 'on', volume: level >= 1 && level <= 100 ? level : DEFAULT_VOLUME }
}
