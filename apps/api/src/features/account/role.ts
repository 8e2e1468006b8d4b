import type { Procedure } from '@papermoon/contract/procedure'
import { NotSignedInError } from '@papermoon/engine'
import type { Context } from '../../context.ts'
import { defineError } from '../../errors.ts'
import { assertStatusAllows } from './account-status.ts'
import { ConfirmationNeededError, PROOF_MS, readProofs } from './step-up.ts'

/** The response to everyone except moderators, the same as for a path that does not exist. */
export class NoSuchAddressError extends defineError('NOT_FOUND', 'There is nothing at this address.') {}

/** The account has no second factor, which a role requires. */
export class FactorMissingError extends defineError(
  'SECOND_FACTOR_OFF',
  'Moderators need a second factor. Add an authenticator app or a passkey in Settings.',
) {}

/** Length of a moderator's shift, in ms. */
const SHIFT_MS = 12 * 3_600_000

/**
 * Checks that the caller has the role, that the account is not suspended and has a second factor, and that the session
 * was confirmed with one: within a shift, or within ten minutes for operators' procedures. Throws `NoSuchAddressError`,
 * `AccountSuspendedError`, `FactorMissingError` and `ConfirmationNeededError`.
 */
export async function assertRole(ctx: Context, { role }: Pick<Procedure, 'role'>): Promise<void> {
  const found = await readProofs(ctx).catch((error: unknown) => {
    throw error instanceof NotSignedInError ? new NoSuchAddressError() : error
  })
  if (found.role === 'player' || (role === 'operator' && found.role !== 'operator')) throw new NoSuchAddressError()
  // Check reads like mutations, because someone who may not act as a moderator must not see others' cases.
  assertStatusAllows(found.standing, { type: 'mutation' })
  if (!found.hasFactor) throw new FactorMissingError()
  const maxMs = role === 'operator' ? PROOF_MS : SHIFT_MS
  const provenAtMs = found.factorAt?.getTime() ?? 0
  if (ctx.app.platform.clock.now().getTime() - provenAtMs > maxMs) throw new ConfirmationNeededError()
}
