import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { PersonalTable } from '../deletion/personal-tables.ts'

/** Number of rows per query. A page of trades is about 350 kB of an export. */
export const EXPORT_PAGE = 1_000

type Row = Readonly<Record<string, unknown>>

/** Returns how often a player exported their data since a certain time, and when first. */
export async function findExportsSince(
  db: Db,
  userId: UserId,
  since: Date,
): Promise<{ readonly count: number; readonly first: Date | null }> {
  const { rows } = await sql<{ count: number; first: Date | null }>`
    select coalesce(sum(times), 0)::int as count, min(at) as first from account_events
     where user_id = ${userId} and kind = 'export_made' and at > ${since}`.execute(db)
  return rows[0] ?? { count: 0, first: null }
}

/**
 * Reads a page of a player's rows in a table, after the previous page's last row: the exported columns and the columns
 * to sort by.
 */
export async function findRows(
  db: Db,
  { table, owner, order, exported, shown }: PersonalTable,
  { userId, after, now }: { readonly userId: UserId; readonly after: Row | null; readonly now: Date },
): Promise<Row[]> {
  const columns = [...new Set<string>([...exported, ...order])]
  const key = sql.join(order.map((column) => sql.ref(column)))
  const rest = after === null ? sql`` : sql`and (${key}) > (${sql.join(order.map((column) => after[column]))})`
  const some = shown === undefined ? sql`` : sql`and ${shown(now)}`
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
     where ${sql.ref(owner)} = ${userId} ${some} ${rest} order by ${key} limit ${EXPORT_PAGE}`.execute(db)
  return rows
}
