import { type Kysely, sql } from 'kysely'

/** What an operator lets a player do. The column's default is constant, so the table is not rewritten. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table users
        add column standing text not null default 'active' check (standing in ('active', 'suspended', 'frozen')),
        add column standing_reason text`,
    )
    .execute(db)
}
