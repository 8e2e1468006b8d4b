/**
 * Tokens that players have starred, without a foreign key to `tokens`, which would lock that table against launches. And the
 * order of the list by last trade: each trade rewrites the entry of its pool in another index anyway, by price, so that no
 * update of a pool is a heap-only one with or without this index.
 */
export const statements = [
  `create table watchlist (
    user_id integer not null references users (id) on delete cascade,
    token_id integer not null,
    starred_at timestamptz(3) not null,
    primary key (user_id, token_id)
  )`,
  'create index pools_last_event on pools (last_event_at, token_id)',
]
