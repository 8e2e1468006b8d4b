import { keepToastForNextPage, type Toast } from '../../../lib/ui/toasts.ts'

const RETURNS = /^\/(developers|tape|fairs(\?make=(room|cup)|\/(?<fair>\d+)(\?invite=(?<invite>[\w-]{22}))?)?)$/

/**
 * Goes home after signing in, or where the link to /auth said (`returnTo` of its state). A full page load drops
 * everything cached for the guest.
 */
export function enter(toast: Toast): void {
  keepToastForNextPage(toast)
  location.assign(findReturn()?.[0] ?? '/')
}

/** The fair whose *Enter* led here, and the code of a room’s link: many may register by it from one address. */
export function findFairToEnter(): { readonly id: number; readonly invite: string | undefined } | null {
  const { fair, invite } = findReturn()?.groups ?? {}
  return fair === undefined ? null : { id: Number(fair), invite }
}

function findReturn(): RegExpExecArray | null {
  const state: { returnTo?: unknown } | null = history.state
  return RETURNS.exec(String(state?.returnTo))
}
