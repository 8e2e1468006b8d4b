import { keepToastForNextPage, type Toast } from '../../../lib/ui/toasts.ts'

/** Goes to the market as the player who just signed in. The page is loaded anew, so that nothing of the guest stays. */
export function enter(toast: Toast): void {
  keepToastForNextPage(toast)
  location.assign('/')
}
