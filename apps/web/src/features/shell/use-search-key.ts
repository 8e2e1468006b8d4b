import { useRouter } from '@tanstack/react-router'
import { useHotkey } from '../../lib/hotkeys.ts'
import { askForSearch } from '../../lib/search-ask.ts'

/** `/` leads to the search from every screen; on home the search itself hears it. */
export function useSearchKey(): void {
  const router = useRouter()
  useHotkey('/', () => {
    if (router.state.location.pathname === '/') return
    askForSearch()
    void router.navigate({ to: '/' })
  })
}
