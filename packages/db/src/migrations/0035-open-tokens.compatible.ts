import { type Kysely, sql } from 'kysely'

/**
 * Lists tokens without the rugged ones in any order, even if most tokens are rugged. The new indexes contain only open
 * tokens. A trigger maintains the column, so that builds without the column maintain it, too. The list by price needs
 * no such index, because the price of a rugged token is 0.
 *
 * A row of `tokens` is expensive to write, because the substrings of its name are indexed. The default of the column is
 * therefore the value of most tokens, and only the other tokens are updated.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ are_most_rugged: boolean }>`
    select (select count(*) from rugs) > (select count(*) from tokens) / 2 as are_most_rugged`.execute(db)
  const areMostRugged = rows[0]?.are_most_rugged === true
  for (const statement of createStatements(areMostRugged)) await sql.raw(statement).execute(db)
}

const createStatements = (areMostRugged: boolean): readonly string[] => [
  `alter table tokens add column is_rugged boolean not null default ${areMostRugged}`,
  'alter table tokens alter column is_rugged set default false',
  `create function mark_rugged_tokens() returns trigger language plpgsql as $$
    begin
      update tokens t set is_rugged = true from pulled where t.id = pulled.token_id and not t.is_rugged;
      return null;
    end $$`,
  `create trigger mark_rugged_tokens after insert on rugs referencing new table as pulled
    for each statement execute function mark_rugged_tokens()`,
  `update tokens t set is_rugged = not is_rugged
    where is_rugged <> exists (select from rugs r where r.token_id = t.id)`,
  'create index tokens_open on tokens (created_at, id) where not is_rugged',
  'create index pools_open on pools (last_event_at, token_id) where rugged_at is null',
]
