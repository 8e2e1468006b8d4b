import { useRouter } from '@tanstack/react-router'
import { askForSearch } from '../../../lib/api/search-ask.ts'
import { useHotkey } from '../../../lib/ui/hotkeys.ts'

/** On home the search itself hears the key. On the launch form a slip of it would throw away what is filled in. */
const STAYS = ['/', '/launch']

/** `/` leads to the search from every screen but those. */
export function useSearchKey(): void {
  const router = useRouter()
  useHotkey('/', () => {
    if (STAYS.includes(router.state.location.pathname)) return
    askForSearch()
    void router.navigate({ to: '/' })
  })
}
