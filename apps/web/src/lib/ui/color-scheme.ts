import { useSyncExternalStore } from 'react'

/** What the player chose: night, paper, or as the device has it. */
export type ChosenScheme = 'dark' | 'light' | 'auto'

/** As public/color-scheme.js reads it before the first paint. */
const KEY = 'mantine-color-scheme-value'
const CHOICES: readonly ChosenScheme[] = ['dark', 'light', 'auto']

const device = matchMedia('(prefers-color-scheme: light)')
const listeners = new Set<() => void>()
let chosen = storedScheme()
let isFollowed = false

/** What the player chose. */
export function useChosenScheme(): ChosenScheme {
  return useSyncExternalStore(onScheme, () => chosen)
}

/** What the page is drawn in. */
export function useShownScheme(): 'dark' | 'light' {
  return useSyncExternalStore(onScheme, shownScheme)
}

/** Draws the page in another scheme, and in this browser from now on. */
export function chooseScheme(scheme: ChosenScheme): void {
  chosen = scheme
  try {
    localStorage.setItem(KEY, scheme)
  } catch {
    // Storage is blocked: it holds for this page.
  }
  show()
}

function onScheme(listener: () => void): () => void {
  follow()
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The device may change its mind, and so may the player in another tab. */
function follow(): void {
  if (isFollowed) return
  isFollowed = true
  device.addEventListener('change', show)
  addEventListener('storage', ({ key }) => {
    if (key !== KEY && key !== null) return
    chosen = storedScheme()
    show()
  })
}

function show(): void {
  document.documentElement.dataset.mantineColorScheme = shownScheme()
  for (const listener of listeners) listener()
}

function shownScheme(): 'dark' | 'light' {
  if (chosen !== 'auto') return chosen
  return device.matches ? 'light' : 'dark'
}

function storedScheme(): ChosenScheme {
  try {
    const stored = localStorage.getItem(KEY)
    return CHOICES.find((choice) => choice === stored) ?? 'dark'
  } catch {
    return 'dark'
  }
}
