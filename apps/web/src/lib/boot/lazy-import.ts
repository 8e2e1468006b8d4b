import { RECONNECT_MS } from '@papermoon/client/reconnect'
import { reloadIfReplaced } from './reload-if-replaced.ts'

/** Ten minutes of asking. */
const TRIES_MAX = 200

/**
 * Loads code that a part of the screen needs only when it is shown. While the server is away it is asked for again
 * every 3 seconds: a toast or a chart that cannot come must not take the page, and an order under way, with it. Where a
 * new build took its place, the page is loaded anew.
 */
export async function loadLate<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let tries = 1; tries < TRIES_MAX; tries++) {
    try {
      return await load()
    } catch {
      await reloadIfReplaced()
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
    }
  }
  return await load()
}
