import { client } from '../../../lib/api/api.ts'

/** Ends the session and goes to the login. A full page load drops everything cached for the player. */
export async function logout(): Promise<void> {
  try {
    await client.auth.logout.mutate()
    location.assign('/auth')
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: a failed logout is only logged, so the player may simply press again.
    console.error('Logout failed', error)
  }
}
