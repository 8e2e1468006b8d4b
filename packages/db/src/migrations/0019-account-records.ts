/**
 * Adds the security events of accounts, which are stored for 90 days, the expiry and networks of API keys, and the
 * deletion of accounts. Every new column is empty or constant at first, so that no table is rewritten. New indexes on
 * existing tables contain no rows yet.
 */
export const statements = [
  `create table account_events (
    id bigint generated always as identity primary key,
    user_id integer not null references users (id),
    kind text not null,
    at timestamptz(3) not null,
    address text,
    browser text,
    detail jsonb not null default '{}',
    merge_key text,
    times integer not null default 1 check (times > 0),
    is_logged boolean not null default true
  )`,
  'create index account_events_user on account_events (user_id, at, id)',
  'create index account_events_time on account_events (at)',
  'create unique index account_events_merged on account_events (user_id, kind, merge_key) where merge_key is not null',
  'create index account_events_unlogged on account_events (id) where not is_logged',
  `alter table api_keys
    add column expires_at timestamptz(3),
    add column networks text[] not null default '{}' check (cardinality(networks) <= 20)`,
  `alter table users
    add column deletion_due_at timestamptz(3),
    add column deleted_at timestamptz(3)`,
  'create index users_deletion on users (deletion_due_at) where deletion_due_at is not null',
  'create index users_deleted on users (deleted_at) where deleted_at is not null',
]
