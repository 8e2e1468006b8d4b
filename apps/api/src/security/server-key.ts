import { randomBytes } from 'node:crypto'
import type { Db } from '@papermoon/db'

const KEY_BYTES = 32

/** Loads or creates a named key that all nodes on a database share. Concurrent callers get the same key. */
export async function loadServerKey(db: Db, name: string): Promise<Buffer> {
  await db
    .insertInto('server_keys')
    .values({ name, key: randomBytes(KEY_BYTES) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { key } = await db.selectFrom('server_keys').select('key').where('name', '=', name).executeTakeFirstOrThrow()
  return key
}
