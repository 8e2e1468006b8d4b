import type { DatabaseClient } from '@papermoon/db'
import { recordOperatorEvent } from '../../accounts/operator-events.ts'
import { deleteSecondFactors } from '../../features/account/factors/store.ts'
import { findUser } from './find-user.ts'

/**
 * Removes authenticator app, recovery codes and passkeys of a player who has lost them; the password is still needed.
 * Returns a sentence; throws `CommandError`.
 */
export async function removeFactors({ db }: DatabaseClient, user: string): Promise<string> {
  const { id: userId, name } = await findUser(db, user)
  const { hadTotp, passkeys } = await db.transaction().execute(async (tx) => {
    const removed = await deleteSecondFactors(tx, userId)
    if (removed.hadTotp) await recordOperatorEvent(tx, { userId, kind: 'totp_disabled' })
    if (removed.passkeys > 0) {
      await recordOperatorEvent(tx, { userId, kind: 'passkey_removed', detail: { passkeys: removed.passkeys } })
    }
    return removed
  })
  if (!hadTotp && passkeys === 0) return `${name} had no second factor.`
  const parts = [...(hadTotp ? ['the authenticator app'] : []), ...(passkeys > 0 ? [countPasskeys(passkeys)] : [])]
  return `${name} signs in with the password alone: ${parts.join(' and ')} removed.`
}

function countPasskeys(count: number): string {
  return count === 1 ? '1 passkey' : `${count} passkeys`
}
