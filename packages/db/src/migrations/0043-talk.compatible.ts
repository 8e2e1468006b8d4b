import { type Kysely, sql } from 'kysely'

/**
 * Adds posts, follows and moderation. The fairground and the fairs have separate tables of posts, so that a query of
 * the fairground cannot find posts of a room (decision 036). The positions of posts come from the sequence of trades,
 * so subscribers resume with the same cursors.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...posts, ...people, ...order]) await sql.raw(statement).execute(db)
}

const posts = [
  `create table posts (
    id integer generated always as identity primary key,
    topic integer not null,
    parent_id integer,
    user_id integer not null references users (id),
    text text not null,
    mentions integer[] not null default '{}',
    price numeric(38,18),
    seq bigint,
    state text not null default 'shown' check (state in ('shown', 'held', 'hidden', 'deleted')),
    skeleton bigint not null,
    replies integer not null default 0,
    reactions integer[] not null default '{0,0,0,0,0,0}',
    position bigint,
    changed_position bigint,
    created_at timestamptz(3) not null,
    edited_at timestamptz(3)
  )`,
  'create index posts_topic on posts (topic, id) where parent_id is null',
  'create index posts_thread on posts (parent_id, id) where parent_id is not null',
  'create index posts_writer on posts (user_id, id)',
  'create index posts_skeleton on posts (skeleton, created_at)',
  'create unique index posts_position on posts (position) where position is not null',
  'create unique index posts_changed on posts (changed_position) where changed_position is not null',
  'create table fairs.posts (like public.posts including all)',
  // Ids of posts in fairs start at 1,000,000,000, so that an id shows the market of the post.
  'alter table fairs.posts alter column id restart with 1000000000',
  'alter table fairs.posts add check (id >= 1000000000)',
  `create table post_reactions (
    post_id integer not null,
    user_id integer not null references users (id),
    kind smallint not null check (kind between 0 and 5),
    primary key (post_id, user_id)
  )`,
  'create index post_reactions_player on post_reactions (user_id)',
]

const people = [
  "alter table users add column role text not null default 'player' check (role in ('player', 'moderator', 'operator'))",
  'alter table users add column hides_follows boolean not null default false',
  'alter table sessions add column factor_at timestamptz(3)',
  `create table follows (
    user_id integer not null references users (id),
    kind text not null check (kind in ('player', 'token')),
    target_id integer not null,
    created_at timestamptz(3) not null,
    primary key (user_id, kind, target_id)
  )`,
  'create index follows_target on follows (kind, target_id)',
  `create table blocks (
    user_id integer not null references users (id),
    blocked_user_id integer not null references users (id),
    created_at timestamptz(3) not null,
    primary key (user_id, blocked_user_id)
  )`,
  'create index blocks_blocked on blocks (blocked_user_id)',
]

const order = [
  `alter table api_keys
    drop constraint api_keys_scopes_check,
    add constraint api_keys_scopes_check
      check (scopes <@ array['market', 'read', 'trade', 'reset', 'talk'] and cardinality(scopes) > 0)`,
  `create table cases (
    id integer generated always as identity primary key,
    kind text not null check (kind in ('post', 'token', 'name', 'picture')),
    target_id integer not null,
    accused_user_id integer references users (id),
    fair_id integer,
    words text not null,
    held_for text,
    reports integer not null default 0,
    opened_at timestamptz(3) not null,
    decided_at timestamptz(3),
    outcome text
  )`,
  'create unique index cases_open on cases (kind, target_id) where decided_at is null',
  'create index cases_queue on cases (reports, id) where decided_at is null',
  'create index cases_accused on cases (accused_user_id)',
  `create table reports (
    id integer generated always as identity primary key,
    case_id integer not null references cases (id),
    user_id integer not null references users (id),
    reason text not null check (reason in ('spam', 'abuse', 'hate', 'sexual', 'scam', 'other')),
    note text,
    created_at timestamptz(3) not null,
    unique (case_id, user_id)
  )`,
  'create index reports_player on reports (user_id, id)',
  `create table mutes (
    user_id integer not null references users (id),
    fair_id integer not null default 0,
    until timestamptz(3) not null,
    primary key (user_id, fair_id)
  )`,
  `create table moderation_log (
    id integer primary key,
    at timestamptz(3) not null,
    actor_id integer,
    as_role text not null,
    act text not null,
    kind text not null,
    target_id integer not null,
    concerned_id integer,
    case_id integer,
    undoes integer references moderation_log (id),
    detail text not null,
    words_hash bytea not null,
    hash bytea not null
  )`,
  'create unique index moderation_log_undone on moderation_log (undoes) where undoes is not null',
  'create index moderation_log_concerned on moderation_log (concerned_id, id)',
  // Makes the table append-only. The trigger protects superusers and the table's owner only from mistakes, because they
  // can remove it.
  `create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
    end $$`,
  `create trigger refuse_change before update or delete or truncate on moderation_log
    for each statement execute function refuse_change()`,
  'revoke update, delete, truncate on moderation_log from public, current_user',
  `create table moderation_words (
    log_id integer primary key references moderation_log (id),
    salt bytea not null,
    words text not null,
    reason text not null
  )`,
  `create table appeals (
    log_id integer primary key references moderation_log (id),
    user_id integer not null references users (id),
    words text not null,
    created_at timestamptz(3) not null,
    decided_at timestamptz(3),
    is_granted boolean
  )`,
  'create index appeals_open on appeals (created_at) where decided_at is null',
  'create index appeals_player on appeals (user_id)',
  `create table held_words (
    word text primary key,
    created_at timestamptz(3) not null
  )`,
]
