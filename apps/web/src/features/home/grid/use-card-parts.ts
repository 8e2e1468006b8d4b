import { startTransition, useEffect, useState } from 'react'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../../lib/boot/when-idle.ts'

type CardParts = typeof import('../cards/card-parts.tsx')

let parts: CardParts | null = null
let isAsked = false
const listeners = new Set<() => void>()

/** Parts of cards beyond the first paint; null until loaded, when the browser is idle. */
export function useCardParts(): CardParts | null {
  const [shown, setShown] = useState(parts)
  // In a transition: React renders the parts of many cards in short slices.
  useEffect(() => (parts === null ? subscribe(() => startTransition(() => setShown(parts))) : setShown(parts)), [])
  return shown
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!isAsked) whenIdle(load)
  isAsked = true
  return () => listeners.delete(listener)
}

async function load(): Promise<void> {
  parts = await lazyImport(() => import('../cards/card-parts.tsx'))
  for (const listener of listeners) listener()
}
