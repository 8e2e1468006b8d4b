const FORMING = [
  { name: 'minute', width: 60 },
  { name: 'hour', width: 3_600 },
  { name: 'day', width: 86_400 },
]

const sqlBucket = (width: number) => `date_bin('${width} seconds', p.last_event_at, 'epoch')`

/**
 * Moves the forming candle of each width into the row of its pool, which a trade updates anyway. When the next candle
 * opens, the candle moves to `closed_candles`. The change saves a row per width and trade, which took a quarter of
 * PostgreSQL's time per trade over 1,000 tokens. The view `candles` shows forming and closed candles. A forming candle
 * starts at the bucket of `last_event_at` and closes at `price`. A pool without events has no candle.
 *
 * `assert_current` makes a statement fail if a row has changed since it was read. The index by player includes the
 * token. A plan from a time with few holdings may use this index instead of the primary key, but still finds a single
 * row.
 */
export const statements = [
  'alter table candles rename to closed_candles',
  'alter table closed_candles rename constraint candles_pkey to closed_candles_pkey',
  `alter table pools ${FORMING.map(
    ({ name }) => `
      add column ${name}_open numeric(38,18), add column ${name}_high numeric(38,18),
      add column ${name}_low numeric(38,18), add column ${name}_volume numeric(30,9), add column ${name}_trades integer`,
  ).join(',')}`,
  ...FORMING.flatMap(({ name, width }) => [
    `update pools p set ${name}_open = c.open, ${name}_high = c.high, ${name}_low = c.low,
       ${name}_volume = c.volume, ${name}_trades = c.trades
     from closed_candles c
     where p.seq > 0 and c.token_id = p.token_id and c.width = ${width} and c.bucket = ${sqlBucket(width)}`,
    `delete from closed_candles c using pools p
     where p.seq > 0 and c.token_id = p.token_id and c.width = ${width} and c.bucket = ${sqlBucket(width)}`,
  ]),
  `create view candles as
    select token_id, width, bucket, open, high, low, close, volume, trades from closed_candles
    ${FORMING.map(
      ({ name, width }) => `
      union all
      select p.token_id, ${width}, ${sqlBucket(width)}, p.${name}_open, p.${name}_high, p.${name}_low, p.price,
        p.${name}_volume, p.${name}_trades
      from pools p where p.seq > 0`,
    ).join('')}`,
  'create index holdings_player on holdings (user_id, token_id)',
  'drop index holdings_user',
  `create function assert_current(boolean) returns void language plpgsql as $$
    begin
      if $1 is not true then
        raise exception using errcode = 'PM001', message = 'a row has changed since it was read';
      end if;
    end $$`,
]
