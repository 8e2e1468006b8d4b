import { NotSignedInError } from '@papermoon/engine'
import type { Context } from '../context.ts'
import { defineError } from '../errors.ts'
import { hashSecret } from './credentials.ts'

/** How long a session stays confirmed after the player entered a password or another proof. */
export const PROOF_MS = 10 * 60_000

/** A sensitive action needs a session that was confirmed recently. */
export class ConfirmationNeededError extends defineError(
  'CONFIRMATION_NEEDED',
  'Please confirm that it is you, then try again.',
) {}

/**
 * Requires a session that was confirmed within 10 minutes; login and registration confirm too. Throws
 * `ConfirmationNeededError`, or `NotSignedInError` without a session.
 */
export async function requireRecentProof({ app, cookies }: Context): Promise<void> {
  if (cookies.session.token === null) throw new NotSignedInError()
  const session = await app.platform.db
    .selectFrom('sessions')
    .select('confirmed_at')
    .where('token_hash', '=', hashSecret(cookies.session.token))
    .executeTakeFirst()
  if (session === undefined) throw new NotSignedInError()
  const provenAt = session.confirmed_at?.getTime() ?? 0
  if (app.platform.clock.now().getTime() - provenAt > PROOF_MS) throw new ConfirmationNeededError()
}
