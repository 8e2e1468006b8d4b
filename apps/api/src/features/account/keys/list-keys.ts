import type { ApiKey, ApiKeyId } from '@papermoon/contract/keys'
import type { UserId } from '@papermoon/engine'
import { toKeySpending } from '../../../accounts/key-spending.ts'
import type { App } from '../../../context.ts'
import { findPlayerKeys } from './store.ts'

/** A player's API keys without their secrets, newest first. */
export async function listKeys(app: App, userId: UserId): Promise<ApiKey[]> {
  const keys = await findPlayerKeys(app.platform.db, userId)
  const now = app.platform.clock.now()
  return keys.map(({ id, name, scopes, created_at, last_used_at, expires_at, networks, ...spending }) => ({
    id: id as ApiKeyId,
    name,
    scopes,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
    expiresAt: expires_at?.toISOString() ?? null,
    isExpired: expires_at !== null && expires_at <= now,
    networks,
    ...toKeySpending(spending, now),
  }))
}
