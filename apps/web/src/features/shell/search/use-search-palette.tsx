import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { lazyImport, lazyPart } from '../../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../../lib/boot/when-idle.ts'
import { findDialog, isKey, useHotkey } from '../../../lib/ui/hotkeys.ts'

/** Load the code when the browser is idle, so that the search opens at once and no typed key is lost. */
const loadPalette = () => import('./search-palette.tsx')
const SearchPalette = lazyPart(loadPalette, 'SearchPalette')

/**
 * Returns the global search and a function that opens it. The keys Ctrl-K, ⌘K and `/` open the search. On the home
 * screen, `/` focuses the list's own search field.
 */
export function useSearchPalette(): { palette: ReactNode; open: () => void } {
  const router = useRouter()
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useHotkey('/', () => router.state.location.pathname !== '/' && open())
  // Add the listener in the layout phase, so that the keys work as soon as the button is on the screen.
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
