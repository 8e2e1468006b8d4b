/** Who looks at a token's page now. Unlogged: a crash forgets it, and nobody waits for a disk. */
export const statements = [
  `create unlogged table watchers (
    token_id integer not null,
    viewer bytea not null,
    seen_at timestamptz(3) not null,
    primary key (token_id, viewer)
  )`,
]
