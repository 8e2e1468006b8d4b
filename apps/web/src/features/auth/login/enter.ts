import { client } from '../../../lib/api/api.ts'
import { store } from '../../../lib/ui/stored.ts'
import { KEPT_TOAST_KEY, type Toast } from '../../../lib/ui/toasts.ts'

const RETURNS = /^\/(developers|tape|fairs(\?make=(room|cup)|\/(?<fair>\d+)(#invite=(?<invite>[\w-]{22}))?)?)$/

/**
 * Goes home after signing in, or where the link to /auth said (`returnTo` of its state): into the fair that the player was
 * about to enter. A full page load drops everything cached for the guest.
 */
export async function enter(toast: Toast): Promise<void> {
  const fair = findFairToEnter()
  // A refusal is told on the fair's page.
  if (fair !== null) await client.fairs.enter.mutate(fair).catch(() => {})
  store(KEPT_TOAST_KEY, JSON.stringify(toast), 'sessionStorage')
  location.assign(findReturn()?.[0] ?? '/')
}

/** The fair whose *Enter* led here, and the code of a room’s link: many may register by it from one address. */
export function findFairToEnter(): { readonly id: number; readonly invite?: string } | null {
  const { fair, invite } = findReturn()?.groups ?? {}
  return fair === undefined ? null : { id: Number(fair), ...(invite !== undefined && { invite }) }
}

function findReturn(): RegExpExecArray | null {
  const state: { returnTo?: unknown } | null = history.state
  return RETURNS.exec(String(state?.returnTo))
}
