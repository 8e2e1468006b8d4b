/**
 * Stores the start, the end and the results of fairs as events. The positions of these events come from the sequence of
 * trades, so streams and webhooks that follow a fair find them in order. Webhooks can name fairs, and have a position
 * in the fairs' journal.
 */
export const statements = [
  `create table fair_moments (
    position bigint primary key,
    fair_id integer not null,
    moment text not null check (moment in ('start', 'end', 'settled', 'void')),
    created_at timestamptz(3) not null default clock_timestamp()
  )`,
  // The table of the fairground has no rows, because the fairground neither begins nor ends.
  'create table fairs.fair_moments (like public.fair_moments including all)',
  "alter table fairs.fair_moments alter column position set default nextval('fairs.trades_id_seq')",
  'alter table fairs.fair_moments add foreign key (fair_id) references public.fairs (id) on delete cascade',
  'create index fair_moments_fair on fairs.fair_moments (fair_id)',
  // A fair is opened and ended with its lock held, so all its trades are between both positions.
  `create function note_fair_moments() returns trigger language plpgsql as $$
    begin
      if new.state = 'open' then
        insert into fairs.fair_moments (fair_id, moment) values (new.id, 'start');
        return null;
      end if;
      if old.state = 'open' then
        insert into fairs.fair_moments (fair_id, moment, created_at)
          values (new.id, 'end', coalesce(new.bell_at, clock_timestamp()));
      end if;
      insert into fairs.fair_moments (fair_id, moment) values (new.id, new.state);
      return null;
    end $$`,
  `create trigger note_fair_moments after update of state on fairs for each row
    when (new.state <> old.state) execute function note_fair_moments()`,
  `alter table webhooks
    add column fairs integer[],
    add column fair_trade_id bigint not null default 0,
    add column fair_token_id integer not null default 0,
    add column fair_rug_id bigint not null default 0,
    add column fair_moment_id bigint not null default 0`,
  `alter table notice_position
    add column fair_trade_id bigint not null default 0,
    add column fair_token_id integer not null default 0`,
  `update notice_position set fair_trade_id = coalesce((select max(id) from fairs.trades), 0),
    fair_token_id = coalesce((select max(id) from fairs.tokens), 0)`,
]
