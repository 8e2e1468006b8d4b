import { type Kysely, sql } from 'kysely'

/** Where the leading engine takes orders of its own machine: the path of a Unix socket. Earlier builds neither write nor read it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table engine_lease add column socket text`.execute(db)
}
