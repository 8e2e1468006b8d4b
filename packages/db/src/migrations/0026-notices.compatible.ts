/**
 * Adds notices of players, price alerts, devices for push messages, and the outbox. Many players can be notified of one
 * cause. For example, ten thousand holders of a rugged token share one row of `notice_causes`. The job that follows the
 * journal starts at the journal's current end, so that nobody is notified of earlier events.
 */
export const statements = [
  `create table notice_position (
    id integer primary key default 1 check (id = 1),
    trade_id bigint not null,
    rugs_since timestamptz(3) not null,
    top_three integer[],
    holder uuid,
    held_until timestamptz(3)
  )`,
  `insert into notice_position (trade_id, rugs_since)
    select coalesce((select max(id) from trades), 0), now()`,
  `create table notice_causes (
    id bigint generated always as identity primary key,
    key text not null,
    kind text not null check (kind in ('rug', 'whale', 'top3', 'alert')),
    token_id integer,
    actor_id integer,
    seq bigint,
    times integer not null default 1,
    tokens numeric(30,6),
    sol numeric(30,9),
    detail jsonb not null default '{}',
    created_at timestamptz(3) not null,
    last_at timestamptz(3) not null,
    told_to integer,
    told_at timestamptz(3)
  )`,
  'create index notice_causes_key on notice_causes (key, id)',
  'create index notice_causes_open on notice_causes (id) where told_to is not null',
  'create index notice_causes_age on notice_causes (last_at)',
  `create table notices (
    id bigint generated always as identity primary key,
    user_id integer not null references users (id) on delete cascade,
    cause_id bigint not null references notice_causes (id) on delete cascade,
    kind text not null,
    token_id integer,
    created_at timestamptz(3) not null,
    read_at timestamptz(3),
    unique (cause_id, user_id)
  )`,
  'create index notices_user on notices (user_id, id)',
  `create table notice_settings (
    user_id integer primary key references users (id) on delete cascade,
    muted text[] not null
  )`,
  `create table price_alerts (
    id integer generated always as identity primary key,
    user_id integer not null references users (id) on delete cascade,
    token_id integer not null,
    measure text not null check (measure in ('price', 'marketCap', 'percent')),
    value numeric(38,18) not null,
    direction text not null check (direction in ('above', 'below')),
    price numeric(38,18) not null check (price > 0),
    since_seq bigint not null,
    is_new boolean not null default true,
    created_at timestamptz(3) not null,
    done_at timestamptz(3),
    done_seq bigint
  )`,
  'create index price_alerts_user on price_alerts (user_id, id)',
  'create index price_alerts_open on price_alerts (token_id, direction, price) where done_at is null',
  'create index price_alerts_new on price_alerts (id) where is_new and done_at is null',
  `create table push_devices (
    id integer generated always as identity primary key,
    user_id integer not null references users (id) on delete cascade,
    session_hash bytea not null references sessions (token_hash) on delete cascade,
    endpoint text not null unique,
    p256dh text not null,
    auth text not null,
    created_at timestamptz(3) not null
  )`,
  'create index push_devices_user on push_devices (user_id, id)',
  'create index push_devices_session on push_devices (session_hash)',
  `create table outbox (
    id bigint generated always as identity primary key,
    channel text not null check (channel in ('push')),
    user_id integer not null references users (id) on delete cascade,
    target_id integer not null,
    message_id bigint not null,
    created_at timestamptz(3) not null,
    due_at timestamptz(3) not null,
    attempts integer not null default 0,
    last_error text,
    unique (channel, target_id, message_id)
  )`,
  'create index outbox_due on outbox (channel, due_at)',
  'create index outbox_user on outbox (user_id)',
]
