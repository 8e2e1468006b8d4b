import { onlineManager } from '@tanstack/react-query'
import { client } from '../../../lib/api/api.ts'
import { PLAYER_KEY, store } from '../../../lib/ui/stored.ts'

/** Ends the session and goes to the login. A full page load drops everything cached for the player. */
export async function logout(): Promise<void> {
  // The page that is left asks for nothing more: without the session it would be refused.
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

/** The next player in this tab must not find the last one's drafts. */
function clearTab(): void {
  try {
    // biome-ignore lint/plugin: what blocked storage throws is caught here.
    sessionStorage.clear()
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}
