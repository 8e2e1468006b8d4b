/**
 * Adds the current viewers of a token's page. The table is unlogged: a crash deletes its rows, but no statement waits
 * for the disk.
 */
export const statements = [
  `create unlogged table watchers (
    token_id integer not null,
    viewer bytea not null,
    seen_at timestamptz(3) not null,
    primary key (token_id, viewer)
  )`,
]
