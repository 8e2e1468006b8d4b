/**
 * Stores the winners of each window of six hours when the window is closed. Also stores windows without winners.
 * `plain_sum` adds floats for sums that are used only to rank. The aggregate's state is a plain number, unlike that of
 * `sum`. Sums for a million pairs of player and token therefore fit into memory, which halves the cost of a ranking.
 */
export const statements = [
  `create table giveaway_windows (
    started_at timestamptz(0) primary key check (extract(epoch from started_at)::bigint % 21600 = 0),
    closed_at timestamptz(3) not null
  )`,
  `create table window_winners (
    window_started_at timestamptz(0) not null references giveaway_windows (started_at) on delete cascade,
    rank smallint not null check (rank > 0),
    user_id integer not null references users (id),
    username text not null,
    wallet text not null,
    wallet_accounts integer not null check (wallet_accounts > 0),
    account_created_at timestamptz(3) not null,
    profit numeric(20,9) not null check (profit > 0),
    trades integer not null check (trades > 0),
    counterparties integer not null check (counterparties >= 0),
    primary key (window_started_at, rank),
    unique (window_started_at, user_id)
  )`,
  `create aggregate plain_sum (double precision) (
    sfunc = float8pl, stype = double precision, initcond = '0', parallel = safe
  )`,
]
