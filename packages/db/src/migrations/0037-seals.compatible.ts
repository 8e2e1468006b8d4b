/**
 * Adds seals: a creator's promise not to rug a token until a time, and optionally not to sell their own tokens. The row
 * of a pool has the current seal, and the journal `seals` has each promise. The triggers enforce seals in builds that
 * do not know them. The engine of this build rejects such an order itself, with a sentence.
 */
export const statements = [
  `alter table pools
    add column seals integer not null default 0,
    add column sealed_until timestamptz(3),
    add column bag_sealed_until timestamptz(3) check (bag_sealed_until <= sealed_until),
    add column bag_sealed_tokens numeric(30,6) not null default 0 check (bag_sealed_tokens >= 0),
    add column seal_head bytea check (octet_length(seal_head) = 32)`,
  `create table seals (
    token_id integer not null references tokens (id),
    n integer not null check (n > 0),
    kind text not null check (kind in ('sealed', 'renewed')),
    seq bigint not null,
    user_id integer not null references users (id),
    term text not null check (term in ('hour', 'day', 'week', 'ever')),
    with_bag boolean not null,
    until timestamptz(3) not null,
    bag_until timestamptz(3),
    bag_tokens numeric(30,6) not null default 0,
    request_key text,
    created_at timestamptz(3) not null,
    hash bytea not null check (octet_length(hash) = 32),
    position bigint not null default nextval('trades_id_seq'),
    told smallint not null default 0,
    ended_position bigint,
    primary key (token_id, n)
  )`,
  'create unique index seals_request on seals (user_id, request_key) where request_key is not null',
  'create unique index seals_position on seals (position)',
  'create unique index seals_ended on seals (ended_position) where ended_position is not null',
  'create index seals_due on seals (until) where told < 3',
  `create function refuse_sealed_rug() returns trigger language plpgsql as $$
    begin
      if exists (select from pools where token_id = new.token_id and new.created_at < sealed_until) then
        raise exception 'token % is sealed', new.token_id using errcode = 'check_violation';
      end if;
      return new;
    end $$`,
  'create trigger refuse_sealed_rug before insert on rugs for each row execute function refuse_sealed_rug()',
  `create function refuse_sealed_sale() returns trigger language plpgsql as $$
    begin
      if new.bag_sealed_tokens > coalesce((select h.amount from tokens t
          join holdings h on h.token_id = t.id and h.user_id = t.creator_id where t.id = new.token_id), 0) then
        raise exception 'the bag of the creator of token % is sealed', new.token_id using errcode = 'check_violation';
      end if;
      return null;
    end $$`,
  // The trigger runs after the whole statement, so it sees the holdings after the batch.
  `create trigger refuse_sealed_sale after update on pools for each row
    when (new.last_event_at < new.bag_sealed_until and new.seq > old.seq) execute function refuse_sealed_sale()`,
]
