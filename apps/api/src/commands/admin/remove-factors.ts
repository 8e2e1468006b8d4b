import type { DatabaseClient } from '@papermoon/db'
import { deleteSecondFactors } from '../../features/account/factors/store.ts'
import { lockUser } from '../../features/account/own-rows.ts'
import { recordOperatorEvent } from '../../features/account/records/account-events.ts'
import { aboutPlayer, appendAct, byCommand } from '../../features/moderation/log.ts'
import { findUser } from './find-user.ts'

/**
 * Removes the authenticator app, recovery codes and passkeys of a player who lost them. The player still needs the
 * password. The player also loses any role. Throws `CommandError`.
 */
export async function removeFactors({ db }: DatabaseClient, user: string): Promise<string> {
  const { id: userId, name } = await findUser(db, user)
  const { hadTotp, passkeys, hadRole } = await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const removed = await deleteSecondFactors(tx, userId)
    // End the role, because anyone who knows the password can now add a second factor.
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ role: 'player' })
      .where('id', '=', userId)
      .where('role', '<>', 'player')
      .executeTakeFirst()
    const hadRole = numUpdatedRows > 0n
    if (hadRole) await appendAct(tx, { ...byCommand(), ...aboutPlayer(userId), act: 'role-player' })
    if (removed.hadTotp) await recordOperatorEvent(tx, { userId, kind: 'totp_disabled' })
    if (removed.passkeys > 0) {
      await recordOperatorEvent(tx, { userId, kind: 'passkey_removed', detail: { passkeys: removed.passkeys } })
    }
    return { ...removed, hadRole }
  })
  if (!hadTotp && passkeys === 0) return `${name} had no second factor.`
  const parts = [...(hadTotp ? ['the authenticator app'] : []), ...(passkeys > 0 ? [countPasskeys(passkeys)] : [])]
  const ended = hadRole ? ' Their role ended too. Give it again when they have added a new factor.' : ''
  return `${name} now logs in with the password alone. Removed: ${parts.join(' and ')}.${ended}`
}

function countPasskeys(count: number): string {
  return count === 1 ? '1 passkey' : `${count} passkeys`
}
