/**
 * Stores the results of full replays of the journal, and the hourly publications of the last hashes of all chains. A
 * publication contains only hashes that changed since the previous one. Published hashes have no foreign key. The
 * published hashes must survive any manipulation of the journal, so that the audit can compare them with it.
 */
export const statements = [
  `create table audits (
    id bigint generated always as identity primary key,
    started_at timestamptz(3) not null,
    finished_at timestamptz(3) not null,
    last_trade_id bigint,
    trades bigint not null,
    tokens integer not null,
    players integer not null,
    differences integer not null
  )`,
  'create index audits_newest on audits (finished_at)',
  `create table head_publications (
    hour timestamptz(0) primary key check (extract(epoch from hour)::bigint % 3600 = 0),
    published_at timestamptz(3) not null,
    tokens integer not null,
    previous bytea check (octet_length(previous) = 32),
    digest bytea not null check (octet_length(digest) = 32)
  )`,
  `create table published_heads (
    token_id integer not null,
    hour timestamptz(0) not null,
    seq bigint not null,
    hash bytea not null check (octet_length(hash) = 32),
    primary key (token_id, hour)
  )`,
]
