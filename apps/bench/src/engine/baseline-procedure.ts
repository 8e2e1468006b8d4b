import type { DatabaseClient } from '@papermoon/db'
import { sql } from 'kysely'
import { BUY_SOL } from './trade-in-turn.ts'

/**
 * Creates the smallest stored procedure that makes the same durable trade. The procedure locks the pool, checks and
 * updates the balance, updates the pool, and writes holding and journal. To make the baseline as fast as possible, the
 * procedure uses separate tables with minimal indexes, without candles and idempotency keys. If `side` is 1, it sells
 * the whole holding; any other value buys.
 */
export async function createBaseline(
  db: DatabaseClient['db'],
  size: { tokens: number; players: number },
): Promise<void> {
  for (const statement of [...TABLES, TRADE]) await sql.raw(statement).execute(db)
  await sql`insert into baseline.pools select n, 30, 1000000000, 0, 0 from generate_series(1, ${size.tokens}::int) n`.execute(
    db,
  )
  await sql`insert into baseline.accounts select n, 100 from generate_series(1, ${size.players}::int) n`.execute(db)
  await sql`vacuum (analyze)`.execute(db)
}

const TABLES = [
  'create schema baseline',
  `create table baseline.pools (token_id int primary key, sol numeric(20,9) not null, tokens numeric(20,6) not null,
     fees numeric(20,9) not null, seq bigint not null) with (fillfactor = 50)`,
  `create table baseline.accounts (user_id int primary key, balance numeric(20,9) not null check (balance >= 0))
     with (fillfactor = 70)`,
  `create table baseline.holdings (token_id int, user_id int, amount numeric(20,6) not null, primary key (token_id, user_id))
     with (fillfactor = 70)`,
  `create table baseline.trades (id bigint generated always as identity primary key, token_id int not null,
     seq bigint not null, user_id int not null, side int not null, sol numeric(20,9) not null, fee numeric(20,9) not null,
     tokens numeric(20,6) not null, created_at timestamptz(3) not null default clock_timestamp(), unique (token_id, seq))`,
]

const TRADE = `
  create function baseline.trade(token int, player int, side int) returns numeric language plpgsql as $$
  declare
    pool record; held numeric; money numeric := ${BUY_SOL}; fee numeric; amount numeric;
  begin
    select sol, tokens, seq into pool from baseline.pools where token_id = token for no key update;
    if side = 1 then
      select h.amount into held from baseline.holdings h where h.token_id = token and h.user_id = player;
    end if;
    if coalesce(held, 0) > 0 then
      amount := held;
      money := trunc(pool.sol * amount / (pool.tokens + amount), 9);
      fee := ceil(money * 0.003 * 1e9) / 1e9;
      update baseline.accounts set balance = balance + money - fee where user_id = player;
      update baseline.pools set sol = sol - money, tokens = tokens + amount, fees = fees + fee, seq = seq + 1
        where token_id = token;
      update baseline.holdings h set amount = 0 where h.token_id = token and h.user_id = player;
    else
      fee := ceil(money * 0.003 * 1e9) / 1e9;
      amount := trunc(pool.tokens * (money - fee) / (pool.sol + money - fee), 6);
      update baseline.accounts set balance = balance - money where user_id = player and balance >= money;
      if not found then raise exception 'insufficient balance'; end if;
      update baseline.pools set sol = sol + money - fee, tokens = tokens - amount, fees = fees + fee, seq = seq + 1
        where token_id = token;
      insert into baseline.holdings as h values (token, player, amount)
        on conflict (token_id, user_id) do update set amount = h.amount + excluded.amount;
    end if;
    insert into baseline.trades (token_id, seq, user_id, side, sol, fee, tokens)
      values (token, pool.seq + 1, player, side, money, fee, amount);
    return amount;
  end $$`
