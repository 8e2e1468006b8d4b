/** Finds the caller of a procedure, and decides whether the caller may call it. */

import { isInNetworks } from '@papermoon/contract/networks'
import { type ApiScope, getAcceptedScopes, isForGuests, type Procedure } from '@papermoon/contract/procedure'
import type { AccountStatus, Db } from '@papermoon/db'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { ApiKeyRecord, Caller, Context } from './context.ts'
import {
  ApiError,
  ApiKeyNotAllowedError,
  defineError,
  InvalidApiKeyError,
  KeyExpiredError,
  KeyNetworkError,
} from './errors.ts'
import { ConfirmationNeededError, FactorMissingError, PROOF_MS, readProofs } from './features/account/step-up.ts'

export class AccountSuspendedError extends defineError(
  'ACCOUNT_SUSPENDED',
  'Your account is suspended. You can sell what you hold, but you cannot buy, launch or rug.',
) {}

export class AccountFrozenError extends ApiError {
  readonly code = 'ACCOUNT_FROZEN'
  constructor(reason: string | null = null) {
    super(reason === null ? 'This account is frozen.' : `This account is frozen: ${reason}`)
  }
}

/**
 * Throws `AccountFrozenError` or `AccountSuspendedError` if the player may not call a procedure. Suspended players can
 * call all queries, and mutations that allow it.
 */
export function assertStatusAllows(
  status: AccountStatus,
  { type, whenSuspended }: Pick<Procedure, 'type' | 'whenSuspended'>,
): void {
  if (status === 'frozen') throw new AccountFrozenError()
  if (status === 'suspended' && type === 'mutation' && whenSuspended === undefined) throw new AccountSuspendedError()
}

/** Throws `AccountFrozenError` with the operator's reason. Call this only for players who have just authenticated. */
export async function assertNotFrozen(db: Db, userId: UserId): Promise<void> {
  const user = await db
    .selectFrom('users')
    .select(['standing', 'standing_reason'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (user?.standing === 'frozen') throw new AccountFrozenError(user.standing_reason)
}

/**
 * Returns the player's banner: the suspension with its reason, then the operator's warning; null if there is neither.
 */
export function formatStatusWarning(account: {
  readonly standing: AccountStatus
  readonly standing_reason: string | null
  readonly warning: string | null
}): string | null {
  if (account.standing === 'active') return account.warning
  const reason = account.standing_reason === null ? null : `Reason: ${account.standing_reason}`
  return [new AccountSuspendedError().message, reason, account.warning].filter((part) => part !== null).join(' ')
}

/** The type of the context that a procedure's resolver gets, by who can call the procedure. */
export interface ContextOf {
  readonly anyone: Context
  readonly guestOrPlayer: Context & { readonly userId: UserId | null }
  readonly player: Context & OrderTerms
}

/** The rate limiter counts calls, not HTTP requests, so a batch counts as much as its parts. */
export async function count(ctx: Context, { type, limit }: Procedure): Promise<void> {
  await ctx.app.accounts.limits.spend(ctx, type === 'mutation' ? 'write' : 'read')
  if (limit) await ctx.app.accounts.limits.spend(ctx, limit)
}

/** Throws if the key's scopes or the status of its player's account do not allow this procedure. */
export async function assertApiKeyAllows(ctx: Context, procedure: Procedure): Promise<void> {
  if (ctx.apiKey === null) return
  const { scopes, accountStatus } = await requireApiKey(ctx, ctx.apiKey)
  if (procedure.role !== undefined) throw new NoSuchAddressError()
  assertStatusAllows(accountStatus, procedure)
  if (isForGuests(procedure) || isAccepted(procedure, scopes)) return
  throw new ApiKeyNotAllowedError(getAcceptedScopes(procedure)[0] ?? null)
}

function isAccepted(procedure: Procedure, scopes: readonly ApiScope[]): boolean {
  return getAcceptedScopes(procedure).some((scope) => scopes.includes(scope))
}

export async function toResolverContext(ctx: Context, procedure: Procedure): Promise<Context> {
  if (procedure.access === 'anyone') return ctx
  if (procedure.access === 'player') return await toPlayerContext(ctx, procedure, await findCaller(ctx))
  return { ...ctx, userId: await findReader(ctx, procedure) } as ContextOf['guestOrPlayer']
}

/** Finds the player for whom data is read. Returns null for a guest, and for a key that lacks the scopes. */
export async function findReader(ctx: Context, procedure: Procedure): Promise<UserId | null> {
  const isGuest = ctx.apiKey !== null && !isAccepted(procedure, (await requireApiKey(ctx, ctx.apiKey)).scopes)
  return isGuest ? null : await findUserId(ctx)
}

/** Finds the player who makes the call. Returns null for a guest, and for a player with a frozen account. */
export async function findUserId(ctx: Context): Promise<UserId | null> {
  const caller = await findCaller(ctx)
  return caller === null || caller.accountStatus === 'frozen' ? null : caller.userId
}

async function toPlayerContext(
  ctx: Context,
  procedure: Procedure,
  caller: FoundCaller | null,
): Promise<ContextOf['player']> {
  if (caller === null) throw procedure.role === undefined ? new NotSignedInError() : new NoSuchAddressError()
  const { userId, accountStatus, isBot } = caller
  if (procedure.role !== undefined) await assertRole(ctx, procedure)
  assertStatusAllows(accountStatus, procedure)
  if (procedure.type === 'mutation') await ctx.app.accounts.limits.spendAccount(ctx, 'write', userId)
  if (procedure.limit) await ctx.app.accounts.limits.spendAccount(ctx, procedure.limit, userId)
  const spendingKeyId = caller.hasSpendingLimit === true ? caller.keyId : null
  const keyId = ctx.apiKey === null ? null : (caller as ApiKeyRecord).keyId
  return { ...ctx, userId, isBot, spendingKeyId, keyId, isSuspended: accountStatus !== 'active' }
}

type FoundCaller = ApiKeyRecord | (Caller & { readonly hasSpendingLimit?: false })

async function findCaller(ctx: Context): Promise<FoundCaller | null> {
  return ctx.apiKey === null ? await ctx.app.accounts.sessions.find(ctx) : await requireApiKey(ctx, ctx.apiKey)
}

export async function requireApiKey(ctx: Context, apiKey: string): Promise<ApiKeyRecord> {
  const grant = await ctx.app.accounts.apiKeys.find(apiKey)
  const isExpired = grant !== null && grant.expiresAt !== null && grant.expiresAt <= ctx.app.platform.clock.now()
  if (grant === null || isExpired) {
    ctx.header('WWW-Authenticate', 'Bearer realm="Papermoon", error="invalid_token"')
    throw isExpired ? new KeyExpiredError() : new InvalidApiKeyError()
  }
  if (grant.networks !== null && !isInNetworks(ctx.ip, grant.networks)) throw new KeyNetworkError()
  return grant
}

/** Terms that apply to all orders in a call. */
export interface OrderTerms {
  readonly userId: UserId
  /** Whether the player is a bot. Trade events show whether the player is a bot. */
  readonly isBot: boolean
  /** The API key whose spending limit applies to buys and launches. Null if there is no limit. */
  readonly spendingKeyId: number | null
  /** Id of the call's API key. The id is null if the call was made without an API key. */
  readonly keyId: number | null
  /** Whether the player's account is suspended. A suspended player can only sell and repeat earlier orders. */
  readonly isSuspended: boolean
}

/**
 * The error that everyone except moderators gets for moderators' procedures. Unknown paths return the same error, so
 * that nobody learns which procedures exist.
 */
export class NoSuchAddressError extends defineError('NOT_FOUND', 'There is nothing at this address.') {}

/** How long a moderator may work without a new confirmation, in ms. */
const SHIFT_MS = 12 * 3_600_000

/**
 * Checks that the caller has the role, is not suspended and has a second factor, and that the session was confirmed
 * with one within 12 hours. For operators' procedures, the session must have been confirmed within ten minutes. Throws
 * `NoSuchAddressError`, `AccountSuspendedError`, `FactorMissingError` and `ConfirmationNeededError`.
 */
export async function assertRole(ctx: Context, { role }: Pick<Procedure, 'role'>): Promise<void> {
  const found = await readProofs(ctx).catch((error: unknown) => {
    throw error instanceof NotSignedInError ? new NoSuchAddressError() : error
  })
  if (found.role === 'player' || (role === 'operator' && found.role !== 'operator')) throw new NoSuchAddressError()
  // Check queries like mutations, because suspended moderators must not see other players' cases.
  assertStatusAllows(found.standing, { type: 'mutation' })
  if (!found.hasFactor) throw new FactorMissingError()
  const maxMs = role === 'operator' ? PROOF_MS : SHIFT_MS
  const provenAtMs = found.factorAt?.getTime() ?? 0
  if (ctx.app.platform.clock.now().getTime() - provenAtMs > maxMs) throw new ConfirmationNeededError()
}
