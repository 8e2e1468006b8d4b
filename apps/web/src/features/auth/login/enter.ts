import { keepToastForNextPage, type Toast } from '../../../lib/ui/toasts.ts'

const RETURNS = /^\/(developers|tape|fairs(\/\d+(\?invite=(?<invite>[\w-]{22}))?)?)$/

/**
 * Goes home after signing in, or where the link to /auth said (`returnTo` of its state). A full page load drops
 * everything cached for the guest.
 */
export function enter(toast: Toast): void {
  keepToastForNextPage(toast)
  location.assign(findReturn()?.[0] ?? '/')
}

/** The code of the room’s link that led here: many may register by it from one address. */
export function findInvite(): string | undefined {
  const { invite } = findReturn()?.groups ?? {}
  return invite
}

function findReturn(): RegExpExecArray | null {
  const state: { returnTo?: unknown } | null = history.state
  return RETURNS.exec(String(state?.returnTo))
}
