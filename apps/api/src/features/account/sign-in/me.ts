import type { CurrentUser } from '@papermoon/contract/auth'
import { formatNumeric } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { formatStatusWarning } from '../../../caller.ts'
import type { App } from '../../../context.ts'
import { findUser } from './store.ts'

/** Returns the logged-in player's own account; null for a guest. */
export async function getCurrentUser(app: App, userId: UserId | null): Promise<CurrentUser | null> {
  const user = userId === null ? undefined : await findUser(app.platform.db, userId)
  if (userId === null || user === undefined) return null
  return {
    id: userId,
    userId,
    username: user.username,
    isBot: user.is_bot,
    email: user.email,
    wallet: user.wallet,
    profilePictureUrl: user.profile_picture_url,
    solBalance: formatNumeric(user.sol_balance),
    warning: formatStatusWarning(user),
    isAuthenticated: true,
    createdAt: user.created_at.toISOString(),
    deletionDueAt: user.deletion_due_at?.toISOString() ?? null,
  }
}
