/**
 * Adds webhooks: URLs of players that get events. A webhook has a position in the journal, and at most one batch in the
 * outbox. A trade therefore costs no row, and a dead URL collects no backlog. The job that follows the journal marks
 * webhooks that may have new events. From this version on, the job also handles launches.
 */
export const statements = [
  'alter table notice_position add column token_id integer not null default 0',
  'update notice_position set token_id = coalesce((select max(id) from tokens), 0)',
  "create index notice_causes_rug on notice_causes (id) where kind = 'rug'",
  `create table webhooks (
    id integer generated always as identity primary key,
    user_id integer not null references users (id) on delete cascade,
    url_hash bytea not null,
    url_sealed bytea not null,
    host text not null,
    format text not null check (format in ('standard', 'discord')),
    events text[] not null,
    token_ids integer[],
    secret_sealed bytea not null,
    old_secret_sealed bytea,
    old_secret_until timestamptz(3),
    created_at timestamptz(3) not null,
    verified_at timestamptz(3),
    stopped_at timestamptz(3),
    trade_id bigint not null default 0,
    token_id integer not null default 0,
    cause_id bigint not null default 0,
    notice_id bigint not null default 0,
    is_ready boolean not null default false,
    busy_until timestamptz not null default now(),
    messages bigint not null default 0,
    missed bigint not null default 0,
    failing_since timestamptz(3),
    last_at timestamptz(3),
    last_status integer,
    last_error text,
    unique (user_id, url_hash)
  )`,
  'create unique index webhooks_address on webhooks (url_hash) where verified_at is not null',
  'create index webhooks_ready on webhooks (busy_until) where is_ready',
  'alter table outbox add column detail jsonb',
  `alter table outbox drop constraint outbox_channel_check,
    add constraint outbox_channel_check check (channel in ('push', 'webhook'))`,
]
