import type { Database } from '@papermoon/db'
import type { Kysely, Transaction } from 'kysely'

/** A read that sees one moment of the database, however many statements it takes. */
export type Snapshot = Transaction<Database>

/** Runs `read` on one moment of the database, so that its figures add up while others trade. */
export async function inSnapshot<T>(db: Kysely<Database>, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}
