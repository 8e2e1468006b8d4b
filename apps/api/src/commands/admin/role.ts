import type { DatabaseClient, Role } from '@papermoon/db'
import { lockUser } from '../../features/account/own-rows.ts'
import { findHasFactor } from '../../features/account/step-up.ts'
import { aboutPlayer, appendAct, byCommand } from '../../features/moderation/log.ts'
import { CommandError } from '../run-command.ts'
import { findUser } from './find-user.ts'

const ROLES: readonly Role[] = ['player', 'moderator', 'operator']

/** Gives a role to a player who has a second factor, and logs the change. Throws `CommandError`. */
export async function role({ db }: Pick<DatabaseClient, 'db'>, user: string, to: string): Promise<string> {
  const wanted = ROLES.find((name) => name === to)
  if (wanted === undefined) throw new CommandError(`There is no role ${to}. Choose player, moderator or operator.`)
  const { id, name } = await findUser(db, user)
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, id)
    if (wanted !== 'player' && !(await findHasFactor(tx, id)))
      throw new CommandError(
        `${name} has no second factor. They must first add an authenticator app or a passkey in Settings.`,
      )
    await tx.updateTable('users').set({ role: wanted }).where('id', '=', id).execute()
    await appendAct(tx, { ...byCommand(), ...aboutPlayer(id), act: `role-${wanted}` })
  })
  return `${name} is now ${wanted === 'player' ? 'a player' : wanted === 'operator' ? 'an operator' : 'a moderator'}.`
}
