import { readSetting, saveSetting, useStored } from './stored.ts'

/** The motions that start by themselves, each with a switch under Settings → Sound and motion. */
export type Motion = 'stars' | 'tape' | 'shake' | 'flash' | 'stagger'

/**
 * Returns whether a motion may play. A motion may not play if the device asks for reduced motion, or if the player
 * disabled that motion. Call this function when the motion begins. Style sheets use `:root[data-still~="tape"]`, and
 * base.css stops all motion if the player wants that.
 */
export function mayMove(motion: Motion): boolean {
  const still = document.documentElement.dataset.still?.split(' ') ?? []
  return !(matchMedia('(prefers-reduced-motion: reduce)').matches || still.includes('all') || still.includes(motion))
}

/**
 * Storage key of the disabled motions, which are separated by spaces. public/color-scheme.js reads it before the first
 * paint.
 */
const DISABLED_MOTIONS_KEY = 'papermoon-still'

/** The motions that the player disabled. `all` disables all of them, but does not change their own switches. */
export type DisabledMotions = ReadonlySet<Motion | 'all'>

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

function parseDisabledMotions(words: string | null): DisabledMotions {
  return new Set((words ?? '').split(' ').filter(Boolean) as (Motion | 'all')[])
}
