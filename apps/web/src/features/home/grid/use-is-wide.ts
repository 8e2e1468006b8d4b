import { useSyncExternalStore } from 'react'

/** Breakpoint from which columns are beside the grid, as in home-screen.module.css. */
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
