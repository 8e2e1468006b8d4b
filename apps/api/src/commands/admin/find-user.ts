import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { CommandError } from '../run-command.ts'
import { type FoundUser, findUsers } from './store.ts'

/**
 * Finds the player with this id, username or email address. Throws `CommandError` if there is no such player or more
 * than one.
 */
export async function findUser(db: Db, text: string): Promise<{ id: UserId; name: string }> {
  const users = await findUsers(db, text)
  const [user] = users
  if (user === undefined) throw new CommandError(`There is no player ${text}.`)
  if (users.length > 1) {
    throw new CommandError(`${text} can be ${users.map(describeUser).join(' or ')}. Give the player’s email instead.`)
  }
  return { id: user.id, name: describeUser(user) }
}

function describeUser({ id, username, email }: FoundUser): string {
  return `Player ${id} (${username}, ${email})`
}
