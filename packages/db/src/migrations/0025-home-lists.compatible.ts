/**
 * Adds the tokens that players have starred. There is no foreign key to `tokens`, because it would lock that table
 * against launches. Another index lists tokens by last trade. This index does not make trades slower, because each
 * trade changes the pool's entry in the index by price anyway.
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
