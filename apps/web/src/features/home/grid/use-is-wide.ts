import { useSyncExternalStore } from 'react'

/** Where the columns stand beside the grid, as home-screen.module.css has it. */
const WIDE = '(min-width: 80em)'

/** Whether there is room for columns beside the grid. */
export function useIsWide(): boolean {
  return useSyncExternalStore(onChange, () => matchMedia(WIDE).matches)
}

function onChange(listener: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
