import { useSyncExternalStore } from 'react'
import { readStored, store } from './stored.ts'

/** The player's choice. `auto` follows the device. */
export type ChosenScheme = 'dark' | 'light' | 'auto'

/** Storage key of the colour scheme. public/color-scheme.js reads it before the first paint. */
const KEY = 'mantine-color-scheme-value'
const CHOICES: readonly ChosenScheme[] = ['dark', 'light', 'auto']

const device = matchMedia('(prefers-color-scheme: light)')
const listeners = new Set<() => void>()
let chosen: ChosenScheme = 'auto'
chosen = storedScheme()
let isFollowed = false

export function useChosenScheme(): ChosenScheme {
  return useSyncExternalStore(onScheme, () => chosen)
}

/** Returns the colour scheme on the screen. `auto` is replaced by the device's scheme. */
export function useShownScheme(): 'dark' | 'light' {
  return useSyncExternalStore(onScheme, shownScheme)
}

export function chooseScheme(scheme: ChosenScheme): void {
  chosen = scheme
  store(KEY, scheme)
  show()
}

function onScheme(listener: () => void): () => void {
  follow()
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Follows changes of the device's scheme and choices in other tabs, including changes from before this call. */
function follow(): void {
  if (isFollowed) return
  isFollowed = true
  device.addEventListener('change', show)
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) showStored()
  })
  showStored()
}

function showStored(): void {
  chosen = storedScheme()
  show()
}

function show(): void {
  document.documentElement.dataset.mantineColorScheme = shownScheme()
  for (const listener of listeners) listener()
}

function shownScheme(): 'dark' | 'light' {
  if (chosen !== 'auto') return chosen
  return device.matches ? 'light' : 'dark'
}

/** Returns the stored choice. If the browser stores no choice, returns the choice made on this page. */
function storedScheme(): ChosenScheme {
  const stored = readStored(KEY)
  return CHOICES.find((choice) => choice === stored) ?? chosen
}
