import { client } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { store } from '../../../lib/ui/stored.ts'
import { KEPT_TOAST_KEY, type Toast } from '../../../lib/ui/toasts.ts'

const RETURNS = /^\/(developers|tape|fairs(\?make=(room|cup)|\/(?<fair>\d+)(#invite=(?<invite>[\w-]{22}))?)?)$/

/** How long signing in waits for the fair, ms; its page can still be entered from there. */
const ENTER_MAX_MS = 3_000

/**
 * Goes home after signing in, or where the link to /auth said (`returnTo` of its state): into the fair that the player was
 * about to enter. A full page load drops everything cached for the guest.
 */
export async function enter(toast: Toast): Promise<void> {
  const path = findReturn()?.[0] ?? '/'
  const fair = findFairToEnter()
  const signal = AbortSignal.timeout(ENTER_MAX_MS)
  const refusal = fair && (await client.fairs.enter.mutate(fair, { signal }).then(() => null, getSentence))
  const kept: Toast =
    refusal === null ? toast : { title: 'Could not enter the fair', message: refusal, kind: 'destructive' }
  store(KEPT_TOAST_KEY, JSON.stringify(kept), 'sessionStorage')
  location.assign(path)
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
