/**
 * Adds password resets and API keys. A reset is also stored for an unknown email address, so that a request costs the
 * same whether the account exists or not.
 */
export const statements = [
  `create table password_resets (
    token_hash bytea primary key,
    account_key bytea not null,
    user_id integer references users (id) on delete cascade,
    code_hash text not null,
    tries smallint not null default 0,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  'create index password_resets_account on password_resets (account_key, created_at)',
  'create index password_resets_user on password_resets (user_id)',
  'create index password_resets_expiry on password_resets (expires_at)',
  `create table password_reset_guesses (
    account_key bytea primary key,
    guessed_at timestamptz(3)[] not null
  )`,
  `create table api_keys (
    id integer generated always as identity primary key,
    user_id integer not null references users (id) on delete cascade,
    name text not null,
    scopes text[] not null check (scopes <@ array['read', 'trade'] and cardinality(scopes) > 0),
    key_hash bytea not null unique,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3)
  )`,
  'create index api_keys_user on api_keys (user_id)',
]
