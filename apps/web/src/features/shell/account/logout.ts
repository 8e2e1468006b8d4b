import { onlineManager } from '@tanstack/react-query'
import { client } from '../../../lib/api/api.ts'
import { PLAYER_KEY, store } from '../../../lib/ui/stored.ts'

/**
 * Ends the session and opens the login screen. Loads a new page, because this clears everything that was cached for the
 * player.
 */
export async function logout(): Promise<void> {
  // Let the old page send no more requests, because the server would reject them without a session.
  onlineManager.setOnline(false)
  try {
    await client.auth.logout.mutate()
    store(PLAYER_KEY, null)
    clearTab()
    location.assign('/auth')
  } catch (error) {
    onlineManager.setOnline(navigator.onLine)
    // biome-ignore lint/suspicious/noConsole: a failed logout is only logged, so the player may simply press again.
    console.error('Logout failed', error)
  }
}

/** Clears this tab's storage, because the next player in this tab would otherwise find the previous player's drafts. */
function clearTab(): void {
  try {
    // biome-ignore lint/plugin: what blocked storage throws is caught here.
    sessionStorage.clear()
  } catch {
    // If storage is blocked, nothing was stored.
  }
}
