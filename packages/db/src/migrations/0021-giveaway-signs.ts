/**
 * Adds signs of unfair winners: the browsers in which each account logged in, as hashes of a random cookie, and the
 * part of a profit that came from another account. Earlier windows lack these signs.
 */
export const statements = [
  `create table account_browsers (
    user_id integer not null references users (id) on delete cascade,
    browser_hash bytea not null check (length(browser_hash) = 32),
    first_seen_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null,
    primary key (user_id, browser_hash)
  )`,
  'create index account_browsers_browser on account_browsers (browser_hash)',
  'create index account_browsers_age on account_browsers (last_seen_at)',
  `alter table window_winners
    add column browser_accounts integer not null default 1 check (browser_accounts > 0),
    add column source_user_id integer references users (id),
    add column source_percent smallint check (source_percent between 0 and 100),
    add column source_shares_browser boolean not null default false,
    add constraint window_winners_source check ((source_user_id is null) = (source_percent is null))`,
]
