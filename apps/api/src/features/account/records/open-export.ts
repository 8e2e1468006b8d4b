import { NotSignedInError, type UserId } from '@papermoon/engine'
import { assertStatusAllows } from '../../../accounts/account-status.ts'
import type { Context } from '../../../context.ts'
import { ExportLinkError } from '../errors.ts'
import { findPasswordHash } from '../store.ts'
import { exportAccount } from './export-account.ts'
import { exportSeal, isSameSeal } from './export-seal.ts'

/** The query of a download link. */
export interface ExportLink {
  readonly expires: string
  readonly seal: string
}

/** The player, and the pieces of the text. */
export interface OpenedExport {
  readonly userId: UserId
  readonly pieces: AsyncGenerator<string>
}

/**
 * Opens the download that `prepareExport` allowed for this session. Throws `NotSignedInError`, `AccountFrozenError` and
 * `ExportLinkError`.
 */
export async function openExport(ctx: Context, { expires, seal }: ExportLink): Promise<OpenedExport> {
  const { app } = ctx
  const caller = ctx.apiKey === null ? await app.accounts.sessions.find(ctx) : null
  const key = caller === null ? undefined : await findPasswordHash(app.platform.db, caller.userId)
  if (caller === null || key === undefined) throw new NotSignedInError()
  const { userId, accountStatus } = caller
  assertStatusAllows(accountStatus, { type: 'query', whenSuspended: undefined })
  const isOpen = /^\d{1,15}$/.test(expires) && Number(expires) > app.platform.clock.now().getTime()
  if (!isOpen || !isSameSeal(seal, exportSeal(ctx, expires, key))) throw new ExportLinkError()
  return { userId, pieces: exportAccount(app, userId) }
}
