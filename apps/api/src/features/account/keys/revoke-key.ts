import type { ApiKeyId, Revoked } from '@papermoon/contract/keys'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { toCredentialId } from '../../../accounts/credentials.ts'
import type { Context } from '../../../context.ts'
import { NotFoundError } from '../../../errors.ts'
import { deleteKey } from './store.ts'

/** Revokes a player's API key and ends its live sockets. Throws `NotFoundError` for another player's key. */
export async function revokeKey(ctx: Context, userId: UserId, id: ApiKeyId): Promise<Revoked> {
  const { app } = ctx
  const key = await app.platform.db.transaction().execute(async (tx) => {
    const deleted = await deleteKey(tx, userId, id)
    if (deleted !== null) {
      await recordAccountEvent(app, ctx, { userId, kind: 'key_revoked', detail: { name: deleted.name } }, tx)
    }
    return deleted
  })
  if (key === null) throw new NotFoundError('You have no such API key.')
  app.accounts.apiKeys.cache.revoke(toCredentialId(key.keyHash))
  return { ok: true }
}
