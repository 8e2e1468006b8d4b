import { sql } from 'kysely'
import type { Db } from '../../src/schema.ts'

export interface Column {
  readonly name: string
  readonly isNullable: boolean
  readonly isPrimary: boolean
  /** True if the column alone is unique, as primary key or otherwise. */
  readonly isUnique: boolean
  /** The table that a foreign key references. */
  readonly refersTo: string | null
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
}

/** Returns the tables of the schema `public` by name, without Kysely's own. */
export async function readTables(db: Db): Promise<Table[]> {
  const { rows } = await sql<Column & { table: string }>`
    select c.relname as table, a.attname as name,
      not a.attnotnull as "isNullable",
      exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p' and a.attnum = any(k.conkey))
        as "isPrimary",
      exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and i.indpred is null
        and i.indnkeyatts = 1 and i.indkey[0] = a.attnum) as "isUnique",
      (select k.confrelid::regclass::text from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum]) as "refersTo"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not starts_with(c.relname, 'kysely_')
      and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(db)
  const tables = Map.groupBy(rows, (row) => row.table)
  return Array.from(tables, ([name, columns]) => ({ name, columns }))
}
