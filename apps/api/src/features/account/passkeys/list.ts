import type { PasskeyId, PasskeyList } from '@papermoon/contract/passkeys'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { findPasskeys } from './store.ts'

/** A player's passkeys and the origin they can be used at. */
export async function listPasskeys(ctx: Context, userId: UserId): Promise<PasskeyList> {
  const rows = await findPasskeys(ctx.app.platform.db, userId)
  const passkeys = rows.map(({ id, name, rp_id, is_synced, created_at, last_used_at }) => ({
    id: id as PasskeyId,
    name,
    domain: rp_id,
    isSynced: is_synced,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }))
  return { origin: ctx.relyingParty()?.origin ?? null, passkeys }
}
