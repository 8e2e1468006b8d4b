import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { lazyImport, lazyPart } from '../../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../../lib/boot/when-idle.ts'
import { findDialog, isKey, useHotkey } from '../../../lib/ui/hotkeys.ts'

/** Loaded when idle, so that it opens at once and no key typed into it is lost. */
const loadPalette = () => import('./search-palette.tsx')
const SearchPalette = lazyPart(loadPalette, 'SearchPalette')

/**
 * The search of everything and what opens it beside the keys Ctrl-K, ⌘K and `/`. On home `/` is the list's search.
 */
export function useSearchPalette(): { palette: ReactNode; open: () => void } {
  const router = useRouter()
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useHotkey('/', () => router.state.location.pathname !== '/' && open())
  // In the layout phase: the keys work as soon as the button is on the screen.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isK = isKey(event, 'k') || event.key === 'K'
      if (!isK || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((wasOpen) => !wasOpen && findDialog() === null)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  useEffect(() => whenIdle(() => lazyImport(loadPalette)), [])
  const palette = isOpen && <SearchPalette onClose={() => setOpen(false)} />
  return { palette, open }
}
