import { usernameField } from '@papermoon/contract/account-fields'
import { text } from '@papermoon/contract/text'
import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { z } from 'zod'
import { assertNewUsername, UsernameTakenError } from '../features/account/new-username.ts'
import { usernameKey } from '../features/account/username-key.ts'
import { HOUSE_FLOAT, insertHouseGrant } from './grant-to-house-bot.ts'
import { type HouseKey, insertHouseKey } from './house-keys.ts'

const ABOUT_MAX = 200

/** A house bot's profile. */
export interface HouseCharacter {
  /** A username. */
  readonly name: string
  /** The bot's picture: one emoji. */
  readonly emoji: string
  /** The bot's sentence about itself, at most 200 characters. */
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
  /** Networks in CIDR notation from which the keys work; none: anywhere. */
  readonly networks?: readonly string[]
}

/**
 * Creates the accounts of house bots, each with its first grant and an API key, which is only returned here. Creates
 * all of them or none. Nobody can log in to them by password. Throws `UsernameTakenError`, `BadInputError`, or a
 * `ZodError` for a character that breaks a rule.
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
 * Inserts the account, or nothing if the username is taken. Nobody can log in to it: `email_key` contains capitals,
 * which no real key does, and no password matches the empty hash.
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
