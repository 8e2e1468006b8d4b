/**
 * Tokens that players have starred, without a foreign key to `tokens`, which would lock that table against launches.
 * Also an index to list tokens by last trade. It does not make trades slower: each trade changes the pool's entry in
 * the index by price anyway, so no update of a pool is heap-only with or without the new index.
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
