import { RECONNECT_MS } from '@papermoon/client/reconnect'

const KEY = 'papermoon-came-back-at'
/** Ten minutes of asking. */
const TRIES_MAX = 200
/** A server that answers, but has not what the page needs, is not asked for the whole page without end. */
const RELOAD_EVERY_MS = 30_000

/**
 * Loads the page anew as soon as a server that was away answers: asks at once, when the network is back, and every 3
 * seconds. One that was never found away is taken for back, too, but seldom. Returns the way to stop.
 */
export function comeBack(): () => void {
  let tries = 0
  let wasAway = false
  let isStopped = false
  const ask = async () => {
    tries += 1
    if (tries >= TRIES_MAX) clearInterval(timer)
    const isAway = !navigator.onLine || !(await isServerThere())
    if (!isStopped && !isAway && (wasAway || isReloadDue())) reload()
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

async function isServerThere(): Promise<boolean> {
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(RECONNECT_MS) })
    return answer.ok
  } catch {
    return false
  }
}

function isReloadDue(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) > RELOAD_EVERY_MS
  } catch {
    // No storage to remember in: the button stays.
    return false
  }
}

function reload(): void {
  try {
    sessionStorage.setItem(KEY, String(Date.now()))
  } catch {
    // A server that was away is reloaded from all the same.
  }
  location.reload()
}
