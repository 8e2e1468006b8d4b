import { useEffect, useState } from 'react'

const NAMES = {
  up: 'up',
  down: 'down',
  text: 'text',
  dim: 'dim',
  line: 'line',
  surface: 'surface',
  own: 'moon',
  ownInk: 'moon-ink',
  creator: 'success',
  creatorInk: 'surface',
  font: 'font-text',
} as const

export type Palette = Readonly<Record<keyof typeof NAMES, string>>

/** The current colours; changes with the colour scheme. */
export function usePalette(): Palette {
  const [palette, setPalette] = useState(readPalette)
  useEffect(() => {
    const observer = new MutationObserver(() => setPalette(readPalette()))
    // Any attribute of the root may change colours: the scheme, or swapped up and down colours.
    observer.observe(document.documentElement, { attributes: true })
    return () => observer.disconnect()
  }, [])
  return palette
}

function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const colors = Object.entries(NAMES).map(([key, name]) => [key, style.getPropertyValue(`--pm-${name}`).trim()])
  return Object.fromEntries(colors) as Palette
}
