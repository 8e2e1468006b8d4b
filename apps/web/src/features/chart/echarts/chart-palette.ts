import { useSyncExternalStore } from 'react'

/** The theme's colours for the canvas. */
export interface Palette {
  readonly up: string
  readonly down: string
  readonly upSoft: string
  readonly downSoft: string
  readonly text: string
  readonly dim: string
  readonly line: string
  readonly raised: string
  readonly surface: string
  readonly moon: string
  readonly moonInk: string
  readonly creator: string
  readonly font: string
}

let palette: Palette | null = null
let observer: MutationObserver | null = null
const listeners = new Set<() => void>()

/** The current colours; changes with the colour scheme. */
export function usePalette(): Palette {
  return useSyncExternalStore(subscribe, current)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (observer === null) {
    observer = new MutationObserver(onThemeChange)
    // Any attribute of the root may change colours: the scheme, or swapped up and down colours.
    observer.observe(document.documentElement, { attributes: true })
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    observer?.disconnect()
    observer = null
    palette = null
  }
}

function onThemeChange(): void {
  const next = readPalette()
  if (palette !== null && JSON.stringify(next) === JSON.stringify(palette)) return
  palette = next
  for (const listener of listeners) listener()
}

function current(): Palette {
  palette ??= readPalette()
  return palette
}

function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(`--pm-${name}`).trim()
  return {
    up: of('up'),
    down: of('down'),
    upSoft: of('up-soft'),
    downSoft: of('down-soft'),
    text: of('text'),
    dim: of('dim'),
    line: of('line'),
    raised: of('raised'),
    surface: of('surface'),
    moon: of('moon'),
    moonInk: of('moon-ink'),
    creator: of('success'),
    font: of('font-text'),
  }
}
