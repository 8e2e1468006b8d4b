import type { AccountStatus, Database } from '@papermoon/db'
import type { OrderEntry, UserId } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import { ApiError } from '../../errors.ts'

/** What a suspended player may do with a procedure: call it, or only repeat by it orders that were done before. */
export type WhenSuspended = 'allowed' | 'repeats'

/** Something that a suspended player may not do. */
export class AccountSuspendedError extends ApiError {
  readonly code = 'ACCOUNT_SUSPENDED'
  constructor() {
    super('Your account is suspended: you can sell what you hold, but not buy, launch or rug.')
  }
}

/** Anything, of a player whose account is frozen. */
export class AccountFrozenError extends ApiError {
  readonly code = 'ACCOUNT_FROZEN'
  constructor(reason: string | null = null) {
    super(reason === null ? 'This account is frozen.' : `This account is frozen: ${reason}`)
  }
}

/**
 * Throws `AccountFrozenError` and `AccountSuspendedError` where a player may not call a procedure. A suspended one may call
 * every query and the mutations that say so.
 */
export function assertStatusAllows(
  standing: AccountStatus,
  { type, whenSuspended }: { readonly type: string; readonly whenSuspended: WhenSuspended | undefined },
): void {
  if (standing === 'frozen') throw new AccountFrozenError()
  if (standing === 'suspended' && type === 'mutation' && whenSuspended === undefined) throw new AccountSuspendedError()
}

/** Throws `AccountFrozenError`, with the operator's reason, for a player who just proved who they are. */
export async function assertNotFrozen(db: Kysely<Database>, userId: UserId): Promise<void> {
  const user = await db
    .selectFrom('users')
    .select(['standing', 'standing_reason'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (user?.standing === 'frozen') throw new AccountFrozenError(user.standing_reason)
}

/** The engine for a suspended player: it sells, and answers repeats of what was done before; a new order is refused. */
export function restrictToSales(engine: OrderEntry): OrderEntry {
  return {
    submit: async (order) => {
      if (order.kind === 'sell') return await engine.submit(order)
      if (order.requestKey === undefined) throw new AccountSuspendedError()
      return await engine.submit({ ...order, refusal: new AccountSuspendedError() })
    },
  }
}

/** What the player reads across the top of every page: that they are suspended and why, then the operator's warning. */
export function formatStatusWarning(account: {
  readonly standing: AccountStatus
  readonly standing_reason: string | null
  readonly warning: string | null
}): string | null {
  if (account.standing === 'active') return account.warning
  const reason = account.standing_reason === null ? null : `Reason: ${account.standing_reason}`
  return [new AccountSuspendedError().message, reason, account.warning].filter((part) => part !== null).join(' ')
}
