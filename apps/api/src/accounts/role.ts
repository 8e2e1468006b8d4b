import type { Procedure } from '@papermoon/contract/procedure'
import type { Role } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { defineError } from '../errors.ts'
import { hashSecret } from './credentials.ts'
import { ConfirmationNeededError, PROOF_MS } from './step-up.ts'

/** What everybody but moderators is told: as of an address that does not exist. */
export class NoSuchAddressError extends defineError('NOT_FOUND', 'There is nothing at this address.') {}

class FactorNeededError extends defineError(
  'SECOND_FACTOR_OFF',
  'Moderators need an authenticator app or a passkey. You can add one in the settings.',
) {}

/** A moderator's shift. */
const SHIFT_MS = 12 * 3_600_000

/**
 * Requires a role, a second factor on the account, and a session confirmed with one: within a shift, or within ten minutes for
 * what only operators may. Throws `NoSuchAddressError`, `FactorNeededError` and `ConfirmationNeededError`.
 */
export async function assertRole(ctx: Context, userId: UserId, { role }: Pick<Procedure, 'role'>): Promise<void> {
  const { token } = ctx.cookies.session
  if (token === null) throw new NoSuchAddressError()
  const { rows } = await sql<{ role: Role; has_factor: boolean; factor_at: Date | null }>`
    select u.role, s.factor_at,
           exists (select from totp_secrets t where t.user_id = u.id and t.enabled_at is not null)
             or exists (select from passkeys k where k.user_id = u.id) as has_factor
      from users u join sessions s on s.user_id = u.id and s.token_hash = ${hashSecret(token)}
     where u.id = ${userId}`.execute(ctx.app.platform.db)
  const [found] = rows
  if (found === undefined || found.role === 'player' || (role === 'operator' && found.role !== 'operator')) {
    throw new NoSuchAddressError()
  }
  if (!found.has_factor) throw new FactorNeededError()
  const maxMs = role === 'operator' ? PROOF_MS : SHIFT_MS
  const provenAtMs = found.factor_at?.getTime() ?? 0
  if (ctx.app.platform.clock.now().getTime() - provenAtMs > maxMs) throw new ConfirmationNeededError()
}
