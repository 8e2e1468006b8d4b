import { Decimal, type Sol, solText } from '@papermoon/amm'
import { HOUSE_FLOAT_SOL, HOUSE_GRANT_MAX_SOL } from '@papermoon/bots'
import { usernameField } from '@papermoon/contract/account-fields'
import { text } from '@papermoon/contract/text'
import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { z } from 'zod'
import { hashSecret } from '../features/account/credentials.ts'
import { newApiKey } from '../features/account/keys/api-keys.ts'
import { assertNewUsername, UsernameTakenError, usernameKey } from '../features/account/username-key.ts'

const ABOUT_MAX = 200

const KEY_NAME = 'house bot'

/** A house bot and its API key. */
export interface HouseKey {
  readonly userId: UserId
  readonly name: string
  readonly key: string
}

interface NewKey {
  readonly userId: UserId
  readonly at: Date
  readonly networks: readonly string[]
}

interface RenewedKeys {
  readonly at: Date
  /** Networks from which the API keys work. The keys of new bots work from the same networks. */
  readonly networks?: readonly string[]
  /** Names of the bots that get new keys. By default, all bots get new keys. */
  readonly names?: readonly string[]
}

/** Max SOL of a house bot's first grant. */
export const HOUSE_FLOAT = new Decimal(HOUSE_FLOAT_SOL)

/** Max SOL granted to a house bot within 24 hours, in addition to its first grant. */
export const HOUSE_GRANTS_PER_DAY = new Decimal(HOUSE_GRANT_MAX_SOL)

interface HouseGrant {
  readonly userId: UserId
  /** The amount in SOL, which must be above 0. */
  readonly amount: Sol
  readonly at: Date
}

/** The profile of a house bot. */
export interface HouseCharacter {
  /** Username of the bot. */
  readonly name: string
  /** The bot's picture: one emoji. */
  readonly emoji: string
  /** The text in which the bot describes itself, at most 200 characters. */
  readonly about: string
}

const characterFields = z.object({
  name: usernameField,
  emoji: z.string().regex(/^\p{RGI_Emoji}$/v, 'must be one emoji'),
  about: text('sentence', ABOUT_MAX),
})

export interface NewHouseBots {
  /** Time at which the accounts are created and get their first grant. */
  readonly at: Date
  /** Networks in CIDR notation from which the keys work. By default, the keys work anywhere. */
  readonly networks?: readonly string[]
}

/**
 * Creates the accounts of house bots, each with a first grant and an API key. Only the result of this function contains
 * the keys. Creates all of the accounts, or none. Nobody can log in to these accounts with a password. Throws
 * `UsernameTakenError`, `BadInputError`, or a `ZodError` for a profile that breaks a rule.
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
 * Inserts the bot's account, unless the username is taken. Nobody can log in to the account, because no real email key
 * contains capitals, and no password matches the empty hash.
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

/**
 * Creates SOL for a house bot, records it in the ledger, and pays it to the bot. Returns the granted SOL. The amount is
 * less than requested if the grants of the last 24 hours reach the limit. Throws if the account is not a house bot.
 */
export async function grantToHouseBot(db: Db, grant: HouseGrant): Promise<Sol> {
  return await db.transaction().execute((tx) => insertHouseGrant(tx, grant))
}

/** Grants SOL in a transaction, and locks the bot's account until the transaction ends. */
async function insertHouseGrant(tx: Tx, { userId, amount, at }: HouseGrant): Promise<Sol> {
  if (amount.lte(0)) throw new Error(`a grant of ${solText(amount)} SOL`)
  await lockHouseAccount(tx, userId)
  // Read earlier grants in a new statement. After waiting for a lock, a statement still sees other tables as they were
  // before the wait. Also count grants with a time after `at`, because a node with another clock may have made them.
  const { rows } = await sql<{ amount: string }>`
    with granted as (
      insert into grants (user_id, kind, amount, created_at)
      select ${userId}::int, 'house', least(${solText(amount)}::numeric, room.left), ${at}::timestamptz
        from (select case when count(*) = 0 then ${solText(HOUSE_FLOAT)}::numeric
                     else ${solText(HOUSE_GRANTS_PER_DAY)}::numeric - coalesce(sum(amount) filter (where
                       not is_first and created_at > ${at}::timestamptz - interval '24 hours'), 0) end as left
                from (select amount, created_at, row_number() over (order by created_at, id) = 1 as is_first
                        from grants where user_id = ${userId} and kind = 'house') earlier) room
       where room.left > 0
      returning amount
    )
    update accounts a set sol_balance = a.sol_balance + granted.amount from granted
     where a.user_id = ${userId} returning granted.amount`.execute(tx)
  return new Decimal(rows[0]?.amount ?? 0)
}

async function lockHouseAccount(tx: Tx, userId: UserId): Promise<void> {
  const row = await tx
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.user_id')
    .select('users.kind')
    .where('accounts.user_id', '=', userId)
    .forNoKeyUpdate('accounts')
    .executeTakeFirst()
  if (row?.kind !== 'house') throw new Error(`player ${userId} is not a house bot`)
}

/** Creates and returns an API key that can read and trade. */
async function insertHouseKey(tx: Tx, { userId, at, networks }: NewKey): Promise<string> {
  const key = newApiKey()
  await tx
    .insertInto('api_keys')
    .values({
      user_id: userId,
      name: KEY_NAME,
      scopes: ['read', 'trade'],
      key_hash: hashSecret(key),
      created_at: at,
      last_used_at: null,
      networks: [...networks],
    })
    .execute()
  return key
}

/**
 * Replaces the API keys of all active house bots, because the database stores only hashes of keys. Running servers
 * reject the old keys within seconds. Returns the new keys in the order of the accounts.
 */
export async function renewHouseKeys(db: Db, { at, networks = [], names }: RenewedKeys): Promise<HouseKey[]> {
  return await db.transaction().execute(async (tx) => {
    const bots = await tx
      .selectFrom('users')
      .select(['id', 'username'])
      .where('kind', '=', 'house')
      .where('standing', '=', 'active')
      .$if(names !== undefined, (query) => query.where('username', 'in', [...(names ?? [])]))
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const renewed: HouseKey[] = []
    for (const { id, username: name } of bots) {
      const userId = id as UserId
      await tx.deleteFrom('api_keys').where('user_id', '=', userId).execute()
      renewed.push({ userId, name, key: await insertHouseKey(tx, { userId, at, networks }) })
    }
    return renewed
  })
}
