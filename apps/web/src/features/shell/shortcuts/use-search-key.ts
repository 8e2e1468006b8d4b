import { useRouter } from '@tanstack/react-router'
import { requestSearch } from '../../../lib/api/search-ask.ts'
import { useHotkey } from '../../../lib/ui/hotkeys.ts'

/** The home screen handles the key itself. On the launch form a mistyped `/` would lose what was filled in. */
const STAYS = ['/', '/launch']

/** `/` opens the home screen's search, except on the screens above. */
export function useSearchKey(): void {
  const router = useRouter()
  useHotkey('/', () => {
    if (STAYS.includes(router.state.location.pathname)) return
    requestSearch()
    void router.navigate({ to: '/' })
  })
}
