/**
 * Adds the game of each day and the players' attempts. `tape_plays` has no foreign key to `tapes`, because rows of that
 * table are never deleted. A guest is identified by the hash of the browser's token, and an account by its id. Guests
 * and accounts may play once a day.
 */
export const statements = [
  `create table tapes (
    day date primary key,
    token_id integer,
    from_seq bigint,
    to_seq bigint,
    factor numeric(20,0) not null,
    points jsonb not null,
    proof text not null,
    made_at timestamptz(3) not null
  )`,
  `create table tape_plays (
    id uuid primary key,
    day date not null,
    user_id integer references users (id) on delete cascade,
    browser_hash bytea,
    started_at timestamptz(3) not null,
    bought_ms integer,
    sold_ms integer,
    gain numeric(20,9) not null,
    strip text not null,
    check ((user_id is null) <> (browser_hash is null))
  )`,
  'create unique index tape_plays_user on tape_plays (user_id, day) where user_id is not null',
  'create unique index tape_plays_browser on tape_plays (browser_hash, day) where browser_hash is not null',
  'create index tape_plays_day on tape_plays (day, gain) where user_id is not null',
  'create index tape_plays_old on tape_plays (started_at) where browser_hash is not null',
]
