import { type Kysely, sql } from 'kysely'
import { DatabaseIsReplicaError, DatabaseUnsupportedError } from './errors.ts'
import type { Database } from './schema.ts'

/** Oldest supported version, as in `server_version_num`. */
const VERSION_MIN = 150_000
const HOW_TO_CREATE = `create database … encoding 'UTF8' template template0`

/** Checks a server for a supported version, UTF-8 and writes. Throws DatabaseUnsupportedError and DatabaseIsReplicaError. */
export async function assertServerSupported(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ version: string; number: number; encoding: string; is_replica: boolean }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
           pg_encoding_to_char(encoding) as encoding, pg_is_in_recovery() as is_replica
      from pg_database where datname = current_database()`.execute(db)
  for (const { version, number, encoding, is_replica } of rows) {
    if (number < VERSION_MIN)
      throw new DatabaseUnsupportedError(`is PostgreSQL ${version}, and Papermoon needs 15 or newer`)
    if (encoding !== 'UTF8') {
      throw new DatabaseUnsupportedError(`has the encoding ${encoding}, and Papermoon needs UTF8 (${HOW_TO_CREATE})`)
    }
    if (is_replica) throw new DatabaseIsReplicaError()
  }
}
