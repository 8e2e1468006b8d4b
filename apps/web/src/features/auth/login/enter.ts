import { keepToastForNextPage, type Toast } from '../../../lib/ui/toasts.ts'

const RETURNS = /^\/(developers|tape|fairs(\/\d+(\?invite=[\w-]{22})?)?)$/

/**
 * Goes home after signing in, or where the link to /auth said (`returnTo` of its state). A full page load drops
 * everything cached for the guest.
 */
export function enter(toast: Toast): void {
  keepToastForNextPage(toast)
  const state: { returnTo?: unknown } | null = history.state
  const place = state?.returnTo
  location.assign(RETURNS.test(String(place)) ? String(place) : '/')
}
