import { RECONNECT_MS } from '@papermoon/client/reconnect'
import { deviceNow } from '../api/server-now.ts'
import { readStored, store } from '../ui/stored.ts'

const KEY = 'papermoon-came-back-at'
/** Max number of attempts: 10 minutes with one attempt every 3 seconds. */
const TRIES_MAX = 200
/** Min time between two reloads, in ms, for a server that responds but still lacks what the page needs. */
const RELOAD_EVERY_MS = 30_000

/**
 * Reloads the page when a server that was unreachable responds again. Checks the server at once, when the network
 * returns, and every 3 seconds. If the server always responded, the page reloads only rarely. Returns a function that
 * stops the checks.
 */
export function reloadWhenServerReturns(): () => void {
  let tries = 0
  let wasAway = false
  let isStopped = false
  const ask = async () => {
    tries += 1
    if (tries >= TRIES_MAX) clearInterval(timer)
    const isAway = !navigator.onLine || !(await isServerThere())
    if (!isStopped && !isAway && (isReloadDue() || wasAway)) location.reload()
    wasAway ||= isAway
  }
  const now = () => void ask()
  const timer = setInterval(now, RECONNECT_MS)
  addEventListener('online', now)
  now()
  return () => {
    isStopped = true
    clearInterval(timer)
    removeEventListener('online', now)
  }
}

export async function isServerThere(): Promise<boolean> {
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(RECONNECT_MS) })
    return answer.ok
  } catch {
    return false
  }
}

/**
 * Returns whether a reload is due, and stores the time. If storage is blocked, returns false; the page then reloads
 * only when the player presses the button.
 */
function isReloadDue(): boolean {
  return (
    deviceNow() - Number(readStored(KEY, 'sessionStorage') ?? 0) > RELOAD_EVERY_MS &&
    store(KEY, String(deviceNow()), 'sessionStorage')
  )
}
