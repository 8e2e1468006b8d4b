import type { Procedure } from '@papermoon/contract/procedure'
import type { AccountStatus, Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { ApiError, defineError } from '../../errors.ts'

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
