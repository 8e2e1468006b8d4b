/**
 * Adds declared bots, grants to house bots, and the state of the demo world. The new columns are null or constant. The
 * constraints are not validated, because existing rows fulfil them, and a validation would read millions of rows while
 * nobody can write. The migration therefore takes milliseconds for any number of players.
 */
export const statements = [
  `alter table users
    add column kind text not null default 'player',
    add column emoji text,
    add column about text`,
  `alter table users
    add constraint users_kind check (kind in ('player', 'bot', 'house')) not valid,
    add constraint users_emoji check (char_length(emoji) between 1 and 16) not valid,
    add constraint users_about check (char_length(about) between 1 and 200) not valid`,
  `alter table grants
    drop constraint grants_kind_check,
    add constraint grants_kind check (kind in ('register', 'reset', 'house')) not valid`,
  `create table bot_spans (
    user_id integer not null references users (id) on delete cascade,
    since timestamptz(3) not null,
    until timestamptz(3) check (until >= since),
    primary key (user_id, since)
  )`,
  'create unique index bot_spans_open on bot_spans (user_id) where until is null',
  'create index bot_spans_since on bot_spans (since)',
  'create index bot_spans_until on bot_spans (until) where until is not null',
  `create table demo_world (
    id integer primary key default 1 check (id = 1),
    state text not null check (state in ('writing', 'running', 'retiring', 'retired')),
    seed integer not null,
    began_at timestamptz(3) not null,
    written_at timestamptz(3),
    retired_at timestamptz(3)
  )`,
]
