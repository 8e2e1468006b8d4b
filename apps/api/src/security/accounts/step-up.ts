import type { Database } from '@papermoon/db'
import { NotSignedInError } from '@papermoon/engine'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { hashSecret } from '../credentials.ts'

/** A password, or another proof of who somebody is, is good for this long. */
export const PROOF_MS = 10 * 60_000

/** A dangerous act of a session that gave no proof of who it is for a while. */
export class ConfirmationNeededError extends ApiError {
  readonly code = 'CONFIRMATION_NEEDED'
  constructor() {
    super('Please confirm that it is you, then try again.')
  }
}

/**
 * Lets a call go on whose session gave a proof of who it is within 10 minutes; a fresh login or registration is one. Throws
 * `ConfirmationNeededError`, and `NotSignedInError` for a call without a session.
 */
export async function requireRecentProof({ app, sessionToken }: Context): Promise<void> {
  if (sessionToken === null) throw new NotSignedInError()
  const session = await app.db
    .selectFrom('sessions')
    .select('confirmed_at')
    .where('token_hash', '=', hashSecret(sessionToken))
    .executeTakeFirst()
  if (session === undefined) throw new NotSignedInError()
  const provenAt = session.confirmed_at?.getTime() ?? 0
  if (app.clock.now().getTime() - provenAt > PROOF_MS) throw new ConfirmationNeededError()
}

/** Notes that the call's session gave a proof just now. Throws `NotSignedInError` where it ended meanwhile. */
export async function markConfirmed(tx: Transaction<Database>, { app, sessionToken }: Context): Promise<void> {
  if (sessionToken === null) throw new NotSignedInError()
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ confirmed_at: app.clock.now() })
    .where('token_hash', '=', hashSecret(sessionToken))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new NotSignedInError()
}
