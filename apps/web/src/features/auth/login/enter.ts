import { client } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { store } from '../../../lib/ui/stored.ts'
import { STORED_TOAST_KEY, type Toast } from '../../../lib/ui/toasts.ts'

const RETURNS =
  /^\/(developers|tape|fairs(\?make=(room|cup)|\/(?<quick>quick)|\/(?<fair>\d+)(#invite=(?<invite>[\w-]{22}))?)?)$/

/**
 * How long login waits for a response about the fair, in ms. If the response comes too late, the player can still enter
 * the fair on its page.
 */
const ENTER_MAX_MS = 3_000

/**
 * Opens the home page after login, or the page that `returnTo` names. Before that, enters the fair that the player
 * wanted to enter, or starts the quick arena. A full page load clears everything that was cached for the guest.
 */
export async function enter(toast: Toast): Promise<void> {
  const fair = findFairToEnter()
  const signal = AbortSignal.timeout(ENTER_MAX_MS)
  let path = findReturn()?.[0] ?? '/'
  let refusal: string | null = null
  try {
    if (isForQuickArena()) {
      path = '/fairs'
      path = `/fairs/${(await client.fairs.beginQuick.mutate(undefined, { signal })).id}`
    } else if (fair !== null) await client.fairs.enter.mutate(fair, { signal })
  } catch (error) {
    refusal = getSentence(error)
  }
  const stored: Toast =
    refusal === null ? toast : { title: 'Could not enter the fair', message: refusal, kind: 'destructive' }
  store(STORED_TOAST_KEY, JSON.stringify(stored), 'sessionStorage')
  location.assign(path)
}

/**
 * Returns the fair whose *Enter* button led here, with the code from a room's link. With this code, the server lets
 * many players register from one IP address.
 */
export function findFairToEnter(): { readonly id: number; readonly invite?: string } | null {
  const { fair, invite } = findReturn()?.groups ?? {}
  return fair === undefined ? null : { id: Number(fair), ...(invite !== undefined && { invite }) }
}

export function isForQuickArena(): boolean {
  return findReturn()?.groups?.quick !== undefined
}

function findReturn(): RegExpExecArray | null {
  const state: { returnTo?: unknown } | null = history.state
  return RETURNS.exec(String(state?.returnTo))
}
