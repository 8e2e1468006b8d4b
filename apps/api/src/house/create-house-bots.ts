import { usernameField } from '@papermoon/contract/account-fields'
import { text } from '@papermoon/contract/text'
import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { z } from 'zod'
import { assertNewUsername, UsernameTakenError } from '../accounts/new-username.ts'
import { usernameKey } from '../accounts/username-key.ts'
import { HOUSE_FLOAT, insertHouseGrant } from './grant-to-house-bot.ts'
import { type HouseKey, insertHouseKey } from './house-keys.ts'

const ABOUT_MAX = 200

/** Profile of a house bot. */
export interface HouseCharacter {
  /** A username. */
  readonly name: string
  /** Its picture: one emoji. */
  readonly emoji: string
  /** One sentence about itself, at most 200 characters. */
  readonly about: string
}

const characterFields = z.object({
  name: usernameField,
  emoji: z.string().regex(/^\p{RGI_Emoji}$/v, 'must be one emoji'),
  about: text('sentence', ABOUT_MAX),
})

export interface NewHouseBots {
  /** When the accounts are created and get their first grant. */
  readonly at: Date
  /** Networks in CIDR notation that the keys may be used from; none: anywhere. */
  readonly networks?: readonly string[]
}

/**
 * Creates the accounts of bots of the house, each with its first grant and an API key, which is shown only here: all of them or
 * none. Nobody can sign in to them by password. Throws `UsernameTakenError`, `BadInputError`, or a `ZodError` for a character
 * that breaks a rule.
 */
export async function createHouseBots(
  db: Db,
  characters: readonly HouseCharacter[],
  { at, networks = [] }: NewHouseBots,
): Promise<HouseKey[]> {
  return await db.transaction().execute(async (tx) => {
    const created: HouseKey[] = []
    for (const given of characters) {
      const character = characterFields.parse(given)
      assertNewUsername(character.name)
      const userId = await insertHouseAccount(tx, character, at)
      await insertHouseGrant(tx, { userId, amount: HOUSE_FLOAT, at })
      const key = await insertHouseKey(tx, { userId, at, networks })
      created.push({ userId, name: character.name, key })
    }
    return created
  })
}

/**
 * Keys of email addresses have no capitals, so no address leads to the account, and the empty hash fits no password. A username
 * that is taken inserts nothing.
 */
async function insertHouseAccount(tx: Tx, character: HouseCharacter, at: Date): Promise<UserId> {
  const { name, emoji, about } = character
  const { rows } = await sql<{ id: UserId }>`
    with account as (
      insert into users (username, username_key, email, email_key, wallet, password_hash, kind, emoji, about, created_at)
      values (${name}, ${usernameKey(name)}, '', ${`HOUSE ${usernameKey(name)}`}, '', '', 'house', ${emoji}, ${about}, ${at})
      on conflict (username_key) do nothing
      returning id
    )
    insert into accounts (user_id, sol_balance) select id, 0 from account returning user_id as id`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new UsernameTakenError()
  return row.id
}
