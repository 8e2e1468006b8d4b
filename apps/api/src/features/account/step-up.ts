import type { AccountStatus, Db, Role } from '@papermoon/db'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { defineError } from '../../errors.ts'
import { hashSecret } from './credentials.ts'

/** The account has no second factor, but a role requires one. */
export class FactorMissingError extends defineError(
  'SECOND_FACTOR_OFF',
  'Moderators need a second factor. Add an authenticator app or a passkey in Settings.',
) {}

/** How long a session stays confirmed after the player proved their presence, for example with the password, in ms. */
export const PROOF_MS = 10 * 60_000

/** The session was not confirmed recently, but a sensitive action requires this. */
export class ConfirmationNeededError extends defineError(
  'CONFIRMATION_NEEDED',
  'Please confirm that it is you, then try again.',
) {}

/** The session was not recently confirmed with a second factor, and the password alone is not enough. */
class FactorProofNeededError extends defineError(
  'CONFIRMATION_NEEDED',
  'Please confirm with your authenticator app or a passkey, because the password is not enough. If you lost both, an operator of this server can help.',
  { details: { proof: 'factor' } },
) {}

/** Returns SQL for whether an account has a second factor: an enabled authenticator app, or a passkey. */
const hasFactor = (userId: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from totp_secrets f where f.user_id = ${userId} and f.enabled_at is not null)
  or exists (select from passkeys f where f.user_id = ${userId}))`

/** Whether a player has a second factor. */
export async function findHasFactor(db: Db, userId: UserId): Promise<boolean> {
  const { rows } = await sql<{ has_factor: boolean }>`select ${hasFactor(sql`${userId}::int`)} as has_factor`.execute(
    db,
  )
  return rows[0]?.has_factor ?? false
}

/**
 * Checks that the session was confirmed within 10 minutes. Logins and registrations also confirm a session. Throws
 * `ConfirmationNeededError`, or `NotSignedInError` without a session.
 */
export async function requireRecentProof(ctx: Context): Promise<void> {
  const { confirmedAt } = await readProofs(ctx)
  if (!isRecent(ctx, confirmedAt)) throw new ConfirmationNeededError()
}

/**
 * Checks that the session may change the account's second factors. If the account has a second factor, the session must
 * have been confirmed with one within 10 minutes. The password or a login with a code does not count as such a
 * confirmation, because someone may have stolen the cookie. Sessions of accounts without a second factor need any
 * recent confirmation. Throws `FactorProofNeededError`, `ConfirmationNeededError` and `NotSignedInError`.
 */
export async function requireFactorProof(ctx: Context, db: Db = ctx.app.platform.db): Promise<SessionProofs> {
  const proofs = await readProofs(ctx, db)
  if (proofs.hasFactor && !isRecent(ctx, proofs.factorAt)) throw new FactorProofNeededError()
  if (!proofs.hasFactor && !isRecent(ctx, proofs.confirmedAt)) throw new ConfirmationNeededError()
  return proofs
}

interface SessionProofs {
  readonly role: Role
  readonly standing: AccountStatus
  readonly hasFactor: boolean
  /** Time at which the session was last confirmed; null if it never was. */
  readonly confirmedAt: Date | null
  /** Time at which the session was last confirmed with a second factor. */
  readonly factorAt: Date | null
}

/** Reads the times at which the session was confirmed. Throws `NotSignedInError` without a session. */
export async function readProofs({ app, cookies }: Context, db: Db = app.platform.db): Promise<SessionProofs> {
  const { token } = cookies.session
  if (token === null) throw new NotSignedInError()
  const { rows } = await sql<SessionProofs>`
    select u.role, u.standing, ${hasFactor(sql`u.id`)} as "hasFactor",
           s.confirmed_at as "confirmedAt", s.factor_at as "factorAt"
      from sessions s join users u on u.id = s.user_id where s.token_hash = ${hashSecret(token)}`.execute(db)
  const [found] = rows
  if (found === undefined) throw new NotSignedInError()
  return found
}

function isRecent({ app }: Context, provenAt: Date | null): boolean {
  return app.platform.clock.now().getTime() - (provenAt?.getTime() ?? 0) <= PROOF_MS
}
