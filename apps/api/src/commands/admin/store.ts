import type { Db } from '@papermoon/db'
import { ID_MAX, type TokenId, type UserId } from '@papermoon/engine'
import { toEmailKey, usernameKey } from '../../features/account/username-key.ts'
import { CommandError } from '../run-command.ts'

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

interface FoundUser {
  readonly id: UserId
  readonly username: string
  readonly email: string
}

/** Finds players with this id, username or email address: none, one, or several when the text is ambiguous. */
async function findUsers(db: Db, text: string): Promise<FoundUser[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username', 'email'])
    .where((where) =>
      where.or([
        where('id', '=', parseId(text)),
        where('username_key', '=', usernameKey(text)),
        where('email_key', '=', toEmailKey(text)),
      ]),
    )
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, id: row.id as UserId }))
}

export interface FoundToken {
  readonly id: TokenId
  readonly name: string
  readonly symbol: string
  readonly hidden_at: Date | null
}

/** Finds the token with this id. Returns undefined if the text is not a token id. */
export async function findToken(db: Db, text: string): Promise<FoundToken | undefined> {
  const row = await db
    .selectFrom('tokens')
    .select(['id', 'name', 'symbol', 'hidden_at'])
    .where('id', '=', parseId(text))
    .executeTakeFirst()
  return row && { ...row, id: row.id as TokenId }
}

/** Parses an id. Returns 0 if the text is not an id, because no row has the id 0. */
function parseId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  return id <= ID_MAX ? id : 0
}
