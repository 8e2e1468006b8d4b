import { type Kysely, sql } from 'kysely'

/**
 * `search_grams` with a name for its text: PostgreSQL writes a function of SQL back with the names of its arguments, and one
 * without a name as a text that it cannot read. A dump that has it cannot be restored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create or replace function search_grams(whole text, sizes int[]) returns text[]
        language sql immutable strict parallel safe cost 500
        return (
          select array_agg(distinct substr(small, place, size))
            from lower(whole) small, unnest(sizes) size, generate_series(1, char_length(small) - size + 1) place
        )`,
    )
    .execute(db)
}
