/**
 * Adds second factors: TOTP secrets with recovery codes, and passkeys with their challenges. The migration only adds
 * tables, so only `users` is locked for a short time, for the foreign keys.
 */
export const statements = [
  `create table server_keys (
    name text primary key,
    key bytea not null check (octet_length(key) = 32),
    created_at timestamptz(3) not null default now()
  )`,
  `create table totp_secrets (
    user_id integer primary key references users (id) on delete cascade,
    sealed bytea not null,
    created_at timestamptz(3) not null,
    enabled_at timestamptz(3),
    last_step bigint
  )`,
  `create table totp_tries (
    user_id integer not null references users (id) on delete cascade,
    is_known boolean not null,
    tried_at timestamptz(3)[] not null,
    primary key (user_id, is_known)
  )`,
  `create table recovery_codes (
    user_id integer not null references users (id) on delete cascade,
    selector text not null,
    code_hash text not null,
    primary key (user_id, selector)
  )`,
  `create table passkey_owners (
    user_id integer primary key references users (id) on delete cascade,
    handle bytea not null unique
  )`,
  `create table passkeys (
    id integer generated always as identity primary key,
    user_id integer not null references users (id) on delete cascade,
    credential_id bytea not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    rp_id text not null,
    is_synced boolean not null,
    name text not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3)
  )`,
  'create index passkeys_user on passkeys (user_id)',
  `create table passkey_challenges (
    holder bytea not null,
    purpose text not null check (purpose in ('login', 'confirm', 'add')),
    user_id integer references users (id) on delete cascade,
    challenge bytea not null,
    expires_at timestamptz(3) not null,
    primary key (holder, purpose)
  )`,
  'create index passkey_challenges_expiry on passkey_challenges (expires_at)',
  'create index passkey_challenges_user on passkey_challenges (user_id)',
]
