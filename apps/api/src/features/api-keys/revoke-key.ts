import type { App } from '../../context.ts'
import { credentialIdOf } from '../../credentials.ts'
import { NotFoundError } from '../../errors.ts'
import type { UserId } from '../../ids.ts'
import type { ApiKeyId, Revoked } from './schemas.ts'
import { deleteKey } from './store.ts'

/** Ends a player's API key, and its live sockets. Throws `NotFoundError` for a key that is not theirs. */
export async function revokeKey(app: App, userId: UserId, id: ApiKeyId): Promise<Revoked> {
  const keyHash = await deleteKey(app.db, userId, id)
  if (keyHash === null) throw new NotFoundError('You have no such API key.')
  app.apiKeys.ended(credentialIdOf(keyHash))
  return { ok: true }
}
