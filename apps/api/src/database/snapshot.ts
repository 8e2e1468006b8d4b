import type { Database, Tx } from '@papermoon/db'
import type { Kysely, Transaction } from 'kysely'

/** A read-only transaction whose statements all see the same state of the database. */
export type Snapshot = Tx

/** Runs `read` on a snapshot of the database, so that its numbers are consistent while trading continues. */
export async function inSnapshot<T, Tables = Database>(
  db: Kysely<Tables>,
  read: (snapshot: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}
