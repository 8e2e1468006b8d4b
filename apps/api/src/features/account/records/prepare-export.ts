import type { ExportReady } from '@papermoon/contract/account'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { mailAccountChange } from '../../../accounts/account-mail.ts'
import { lockSession } from '../../../accounts/lock-session.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { RateLimitedError } from '../../../errors.ts'
import { countSecondsUntil, DAY_MS } from '../../../lib/durations.ts'
import { EXPORT_PATH, exportSeal } from './export-seal.ts'
import { findExportsSince, lockPasswordHash } from './export-store.ts'

const EXPORTS_A_DAY = 5
/** How long a link is valid. */
const VALID_MS = 10 * 60_000

/**
 * Creates a link, valid for ten minutes in this session, to download everything stored about the player. Throws
 * `ConfirmationNeededError`, `NotSignedInError`, and `RateLimitedError` after five in a day.
 */
export async function prepareExport(ctx: Context, userId: UserId): Promise<ExportReady> {
  const { app } = ctx
  await requireRecentProof(ctx)
  const now = app.platform.clock.now()
  const expires = String(now.getTime() + VALID_MS)
  const key = await app.platform.db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    const passwordHash = await lockPasswordHash(tx, userId)
    const { count, first } = await findExportsSince(tx, userId, new Date(now.getTime() - DAY_MS))
    if (count >= EXPORTS_A_DAY && first !== null)
      throw new RateLimitedError(countSecondsUntil(first.getTime() + DAY_MS, now))
    await recordAccountEvent(app, ctx, { userId, kind: 'export_made' }, tx)
    return passwordHash
  })
  mailAccountChange(app, { userId, kind: 'export_made', caller: ctx })
  const query = new URLSearchParams({ expires, seal: exportSeal(ctx, expires, key) })
  return { url: `${EXPORT_PATH}?${query}`, expiresAt: new Date(Number(expires)).toISOString() }
}
