/**
 * Adds a counter to each market. A transaction locks the counter's row until its commit. Positions in the journal
 * therefore have no gaps and follow the commits. A reader that has read the journal up to a position has missed nothing
 * before it. The positions continue where the sequence of trade ids ends. The engine locks the counter last, when it
 * takes its positions. These triggers assign all other positions at the commit, so a transaction that holds the counter
 * never waits for another row. Earlier builds use the sequence of trade ids. This sequence now counts down, and rows
 * with a negative position get a positive one at the commit.
 */
export const statements = [...['public', 'fairs'].flatMap(createCounter), ...placeFairMoments()]

function createCounter(schema: string): string[] {
  const next = `${schema}.next_position()`
  return [
    `create table ${schema}.journal (
      is_only boolean primary key default true check (is_only),
      position bigint not null
    ) with (fillfactor = 10)`,
    `insert into ${schema}.journal (position)
      select case when is_called then last_value else last_value - 1 end from ${schema}.trades_id_seq`,
    // Reserves a number of positions, and returns the first of these.
    `create function ${schema}.next_position(reserved bigint default 1) returns bigint language sql as $$
      update ${schema}.journal set position = position + reserved where is_only returning position - reserved + 1 $$`,
    ...['rugs', 'seals', 'waiting_orders', 'fair_moments'].map(
      (table) => `alter table ${schema}.${table} alter column position set default ${next}`,
    ),
    `alter table ${schema}.trades alter column id drop identity`,
    `alter table ${schema}.trades alter column id set default ${next}`,
    `create sequence ${schema}.trades_id_seq increment by -1 start with -1`,
    // Earlier, the position of a launch was the token's id. Recent launches get the position of the last trade before
    // them.
    `alter table ${schema}.tokens add column position bigint`,
    `update ${schema}.tokens t set position = coalesce(
        (select max(id) from ${schema}.trades where created_at < t.created_at and created_at > now() - interval '10 days'), 0)
      where created_at > now() - interval '2 days'`,
    `alter table ${schema}.tokens alter column position set default ${next}`,
    `create index tokens_position on ${schema}.tokens (position) where position is not null`,
    ...placeAtCommit(schema),
  ]
}

function isUnplaced(row: string): string {
  return `((${row}state = 'shown' and ${row}position is null) or ${row}position < 0 or ${row}changed_position < 0)`
}

/** Assigns positions at the commit to rows without a position. A negative position requests the next one. */
function placeAtCommit(schema: string): string[] {
  return [
    `create function ${schema}.place_post() returns trigger language plpgsql as $$
      declare
        place bigint;
      begin
        if exists (select from ${schema}.posts where id = new.id and ${isUnplaced('')}) then
          place := ${schema}.next_position();
          update ${schema}.posts set position = case when position > 0 then position else place end,
            changed_position = case when position > 0 then place end where id = new.id;
        end if;
        return null;
      end $$`,
    `create constraint trigger place_post after insert or update on ${schema}.posts deferrable initially deferred for each row
      when (${isUnplaced('new.')}) execute function ${schema}.place_post()`,
    `create function ${schema}.place_order() returns trigger language plpgsql as $$
      begin
        update ${schema}.waiting_orders set position = ${schema}.next_position() where id = new.id and position < 0;
        return null;
      end $$`,
    `create constraint trigger place_order after update of position on ${schema}.waiting_orders
      deferrable initially deferred for each row when (new.position < 0) execute function ${schema}.place_order()`,
    // Wait for the disk, because a position that readers have seen must not be lost. The commit of the job that follows
    // the journal does not wait for the disk if the job notified nobody.
    `create function ${schema}.place_seal_end() returns trigger language plpgsql as $$
      begin
        set local synchronous_commit to default;
        update ${schema}.seals set ended_position = ${schema}.next_position()
         where token_id = new.token_id and n = new.n and ended_position < 0;
        return null;
      end $$`,
    `create constraint trigger place_seal_end after insert or update of ended_position on ${schema}.seals
      deferrable initially deferred for each row when (new.ended_position < 0) execute function ${schema}.place_seal_end()`,
  ]
}

/**
 * The events of a fair also get positions. A fair is opened and ended with its lock held, so its trades are between
 * both positions.
 */
function placeFairMoments(): string[] {
  return [
    'drop trigger note_fair_moments on fairs',
    `create constraint trigger note_fair_moments after update of state on fairs deferrable initially deferred for each row
      when (new.state <> old.state) execute function note_fair_moments()`,
  ]
}
