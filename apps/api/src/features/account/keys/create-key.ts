import { solText } from '@papermoon/amm'
import { type CreatedKey, type CreateKeyInput, EXPIRY_DAYS_MAX } from '@papermoon/contract/keys'
import { type Clock, NotSignedInError, type UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { mailAccountChange } from '../../../accounts/account-mail.ts'
import { KEYS_MAX, newApiKey } from '../../../accounts/api-key.ts'
import { hashSecret } from '../../../accounts/credentials.ts'
import { countOwn, lockUser } from '../../../accounts/own-rows.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { defineError } from '../../../errors.ts'
import { DAY_MS } from '../../../lib/durations.ts'
import { createBadInput, toFieldError } from '../../../validation/messages.ts'
import { hasSession, insertKey } from './store.ts'

class TooManyKeysError extends defineError(
  'TOO_MANY_KEYS',
  `You already have ${KEYS_MAX} API keys. Please revoke one of them first.`,
  { details: { limit: 'apiKeys', maximum: KEYS_MAX } },
) {}

/**
 * Creates an API key; only this answer contains its text. Throws `BadInputError`, `TooManyKeysError`,
 * `ConfirmationNeededError` and `NotSignedInError`.
 */
export async function createKey(ctx: Context, userId: UserId, input: CreateKeyInput): Promise<CreatedKey> {
  const { app, cookies } = ctx
  assertExpiry(input.expiresAt, app.platform.clock)
  // A key outlives the session that creates it, so the player has to confirm.
  await requireRecentProof(ctx)
  const { name, scopes, networks } = input
  const limit = input.spendingLimit === null ? null : solText(input.spendingLimit)
  const key = newApiKey()
  const now = app.platform.clock.now()
  const expiresAt = input.expiresAt?.toISOString() ?? null
  const id = await app.platform.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    // A password reset in between ended this session and all keys; it must not leave this one.
    const { token } = cookies.session
    if (token === null || !(await hasSession(tx, hashSecret(token)))) throw new NotSignedInError()
    if ((await countOwn(tx, 'api_keys', userId)) >= KEYS_MAX) throw new TooManyKeysError()
    const rights = { scopes, networks, expires_at: input.expiresAt, spending_limit: limit }
    const made = await insertKey(tx, { user_id: userId, name, key_hash: hashSecret(key), created_at: now, ...rights })
    const detail = { name, scopes: scopes.join(', '), expiresAt }
    await recordAccountEvent(app, ctx, { userId, kind: 'key_made', detail }, tx)
    return made
  })
  mailAccountChange(app, { userId, kind: 'key_made', caller: ctx })
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

/** Throws `BadInputError` for a time that is past or too far ahead. */
function assertExpiry(expires: Date | null, clock: Clock): void {
  if (expires === null) return
  const inMs = expires.getTime() - clock.now().getTime()
  if (inMs > 0 && inMs <= EXPIRY_DAYS_MAX * DAY_MS) return
  throw createBadInput([toFieldError(['expiresAt'], `must be in the future, and at most ${EXPIRY_DAYS_MAX} days away`)])
}
