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

/** Returns the current colours, which change with the colour scheme. */
export function usePalette(): Palette {
  const [palette, setPalette] = useState(readPalette)
  useEffect(() => {
    const observer = new MutationObserver(() => setPalette(readPalette()))
    // Attributes of the root element change colours: the scheme, or the swapped colours for up and down.
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
