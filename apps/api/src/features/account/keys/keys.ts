import { solText } from '@papermoon/amm'
import {
  type ApiKey,
  type ApiKeyId,
  type CreatedKey,
  type CreateKeyInput,
  EXPIRY_DAYS_MAX,
  type Revoked,
} from '@papermoon/contract/keys'
import type { Clock, UserId } from '@papermoon/engine'
import type { App, Context } from '../../../context.ts'
import { defineError, NotFoundError } from '../../../errors.ts'
import { DAY_MS } from '../../../lib/durations.ts'
import { createBadInput, toFieldError } from '../../../validation/messages.ts'
import { changeAccount } from '../change-account.ts'
import { hashSecret } from '../credentials.ts'
import { forgetCredentials } from '../end-credentials.ts'
import { recordAccountEvent } from '../records/account-events.ts'
import { requireRecentProof } from '../step-up.ts'
import { countOwn } from '../store.ts'
import { KEYS_MAX, newApiKey } from './api-keys.ts'
import { deleteKey, findPlayerKeys, insertKey, toKeySpending } from './store.ts'

class TooManyKeysError extends defineError(
  'TOO_MANY_KEYS',
  `You already have ${KEYS_MAX} API keys. Please revoke one of them first.`,
  { details: { limit: 'apiKeys', maximum: KEYS_MAX } },
) {}

/** Lists a player's API keys without their secrets, newest first. */
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

/**
 * Creates an API key. Only this response contains the key's text. Throws `BadInputError`, `TooManyKeysError`,
 * `ConfirmationNeededError` and `NotSignedInError`.
 */
export async function createKey(ctx: Context, userId: UserId, input: CreateKeyInput): Promise<CreatedKey> {
  const { clock } = ctx.app.platform
  assertExpiry(input.expiresAt, clock)
  // The player must confirm this action, because the key stays valid after the session ends.
  await requireRecentProof(ctx)
  const { name, scopes, networks } = input
  const limit = input.spendingLimit === null ? null : solText(input.spendingLimit)
  const key = newApiKey()
  const now = clock.now()
  const expiresAt = input.expiresAt?.toISOString() ?? null
  const id = await changeAccount(ctx, userId, async (tx, record) => {
    if ((await countOwn(tx, 'api_keys', userId)) >= KEYS_MAX) throw new TooManyKeysError()
    const rights = { scopes, networks, expires_at: input.expiresAt, spending_limit: limit }
    const made = await insertKey(tx, { user_id: userId, name, key_hash: hashSecret(key), created_at: now, ...rights })
    await record('key_made', { name, scopes: scopes.join(', '), expiresAt })
    return made
  })
  return {
    id,
    name,
    scopes,
    createdAt: now.toISOString(),
    lastUsedAt: null,
    expiresAt,
    isExpired: false,
    networks,
    spendingLimit: limit,
    spentToday: limit === null ? null : '0',
    key,
  }
}

/** Throws `BadInputError` for an expiry in the past or too far in the future. */
function assertExpiry(expires: Date | null, clock: Clock): void {
  if (expires === null) return
  const inMs = expires.getTime() - clock.now().getTime()
  if (inMs > 0 && inMs <= EXPIRY_DAYS_MAX * DAY_MS) return
  throw createBadInput([toFieldError(['expiresAt'], `must be in the future, and at most ${EXPIRY_DAYS_MAX} days away`)])
}

/** Revokes a player's API key and ends its live sockets. Throws `NotFoundError` for another player's key. */
export async function revokeKey(ctx: Context, userId: UserId, id: ApiKeyId): Promise<Revoked> {
  const { app } = ctx
  const key = await app.platform.db.transaction().execute(async (tx) => {
    const deleted = await deleteKey(tx, userId, id)
    if (deleted === null) throw new NotFoundError('You have no such API key.')
    await recordAccountEvent(app, ctx, { userId, kind: 'key_revoked', detail: { name: deleted.name } }, tx)
    return deleted
  })
  forgetCredentials(app, { apiKeys: [key.keyHash] })
  return { ok: true }
}
