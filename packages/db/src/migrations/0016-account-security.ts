/**
 * Adds details of sessions for players, the time of their last authentication, and verified email addresses. Sessions
 * now last at most 90 days. Existing sessions keep their remaining days, so that nobody is logged out. The cookies of
 * these sessions have no prefix yet, and are accepted until they are replaced.
 */
export const statements = [
  `alter table sessions
    add column id uuid not null default gen_random_uuid(),
    add column last_used_at timestamptz(3),
    add column address text,
    add column browser text,
    add column confirmed_at timestamptz(3),
    add column plain_cookie_until timestamptz(3)`,
  `update sessions set last_used_at = created_at,
    expires_at = least(expires_at, greatest(created_at + interval '90 days', now() + interval '30 days')),
    plain_cookie_until = greatest(created_at + interval '90 days', now() + interval '30 days')`,
  'alter table sessions alter column last_used_at set not null, alter column last_used_at set default now()',
  'create unique index sessions_id on sessions (id)',
  'alter table users add column email_verified_at timestamptz(3)',
  `create table email_links (
    user_id integer primary key references users (id) on delete cascade,
    token_hash bytea not null unique,
    email text not null,
    email_key text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  'create index email_links_expiry on email_links (expires_at)',
]
