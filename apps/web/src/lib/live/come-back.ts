import { RECONNECT_MS } from '@papermoon/client/reconnect'
import { deviceNow } from '../api/server-now.ts'
import { readStored, store } from '../ui/stored.ts'

const KEY = 'papermoon-came-back-at'
/** 10 minutes at one try every 3 seconds. */
const TRIES_MAX = 200
/** Limits reloads when a server answers but still lacks what the page needs. */
const RELOAD_EVERY_MS = 30_000

/**
 * Reloads the page once an unreachable server answers again. Checks immediately, when the network returns, and every 3
 * seconds. A server that was never seen to fail is also reloaded from, but rarely. Returns a function that stops the
 * checks.
 */
export function comeBack(): () => void {
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

/** Notes the time too. Where storage is blocked, the reload is left to the player's button. */
function isReloadDue(): boolean {
  return (
    deviceNow() - Number(readStored(KEY, 'sessionStorage') ?? 0) > RELOAD_EVERY_MS &&
    store(KEY, String(deviceNow()), 'sessionStorage')
  )
}
