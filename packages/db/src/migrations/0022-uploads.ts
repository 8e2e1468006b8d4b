/** Adds upload URLs for one file each, with the player, the expiry, and whether the file is in use. */
export const statements = [
  `create table uploads (
    key text primary key,
    user_id integer not null references users (id) on delete cascade,
    secret_hash bytea not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    received_at timestamptz(3),
    bytes integer check (bytes >= 0),
    check ((received_at is null) = (bytes is null))
  )`,
  'create index uploads_user on uploads (user_id)',
  'create index uploads_age on uploads (created_at)',
]
