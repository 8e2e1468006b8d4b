import { randomBytes } from 'node:crypto'
import type { Database } from '@papermoon/db'
import type { Kysely } from 'kysely'

const KEY_BYTES = 32

/** A key that all nodes of the database share, by its name; two that make it at once get the same. */
export async function loadServerKey(db: Kysely<Database>, name: string): Promise<Buffer> {
  await db
    .insertInto('server_keys')
    .values({ name, key: randomBytes(KEY_BYTES) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { key } = await db.selectFrom('server_keys').select('key').where('name', '=', name).executeTakeFirstOrThrow()
  return key
}
