import { createHmac } from 'node:crypto'
import type { Context } from '../../context.ts'
import { toNetworkKey } from '../../security/client-address.ts'
import { loadServerKey } from '../../security/server-key.ts'

/**
 * Returns a keyed hash of the caller's network, by which fairs are counted per network. Returns null without rate
 * limits.
 */
export async function hashNetwork({ app: { platform }, ip }: Pick<Context, 'app' | 'ip'>): Promise<Buffer | null> {
  if (!platform.config.rateLimit) return null
  const key = await loadServerKey(platform.db, 'fair networks')
  return createHmac('sha256', key).update(toNetworkKey(ip)).digest()
}
