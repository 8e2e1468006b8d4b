/**
 * Stores all holdings of a token at some of its sequence numbers, and the minute candle at that time. The last
 * checkpoint and the few trades after it give past holdings. Checkpoints are computed from the journal and written
 * outside the order path, so a missing row only makes reads slower. There is no foreign key, because it would lock
 * `tokens` against launches.
 */
export const statements = [
  `create table holder_checkpoints (
    token_id integer not null,
    seq bigint not null,
    holdings bytea not null,
    minute timestamptz(0) not null,
    minute_open numeric(38,18) not null,
    minute_high numeric(38,18) not null,
    minute_low numeric(38,18) not null,
    minute_volume numeric(30,9) not null,
    primary key (token_id, seq),
    check (octet_length(holdings) % 12 = 0)
  )`,
  // Do not compress the holdings, because amounts hardly compress. Without compression, the number of holdings can be
  // read without the holdings.
  'alter table holder_checkpoints alter column holdings set storage external',
]
