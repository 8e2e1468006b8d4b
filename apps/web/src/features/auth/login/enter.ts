import { keepToastForNextPage, type Toast } from '../../../lib/ui/toasts.ts'

/** Goes to the home page after signing in. A full page load drops everything cached for the guest. */
export function enter(toast: Toast): void {
  keepToastForNextPage(toast)
  location.assign('/')
}
