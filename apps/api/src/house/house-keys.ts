import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { hashSecret } from '../features/account/credentials.ts'
import { newApiKey } from '../features/account/keys/api-key.ts'

/** A house bot with its API key. */
export interface HouseKey {
  readonly userId: UserId
  readonly name: string
  readonly key: string
}

const KEY_NAME = 'house bot'

interface NewKey {
  readonly userId: UserId
  readonly at: Date
  readonly networks: readonly string[]
}

/** Creates an API key that reads and trades, and returns it. */
export async function insertHouseKey(tx: Tx, { userId, at, networks }: NewKey): Promise<string> {
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

interface RenewedKeys {
  readonly at: Date
  /** Networks from which the keys work, as for new bots. */
  readonly networks?: readonly string[]
  /** Names of the bots to renew keys for. Default: all. */
  readonly names?: readonly string[]
}

/**
 * Replaces the API keys of all active house bots, because the database only stores hashes of keys. A server drops the
 * old keys within seconds. Returns the new keys in the order of the accounts.
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
