import { RECONNECT_MS } from '@papermoon/client/reconnect'
import { reloadIfReplaced } from './reload-if-replaced.ts'

/** 10 minutes at one try every 3 seconds. */
const TRIES_MAX = 200

/**
 * Imports code lazily. While the server is away, retries every 3 seconds: a missing toast or chart must not replace a
 * page with an order under way by an error screen. Reloads the page when a new build has replaced the file.
 */
export async function lazyImport<Module>(load: () => Promise<Module>): Promise<Module> {
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
