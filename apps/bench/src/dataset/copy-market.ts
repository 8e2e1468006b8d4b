import { type DatabaseClient, LAUNCH_TEXT, sqlSha256, TRADE_TEXT } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'
import { type MarketPlan, toOriginalPlan } from './market-plan.ts'

type Db = Kysely<unknown>

/** Number of trades that one statement copies. */
const CHUNK = 50_000

/** One copy of the original tokens. */
interface Copy {
  /** Number of the copy, from 1, which is added to positions. */
  readonly number: number
  /** Number of original tokens. */
  readonly tokens: number
  /** Number that is added to token ids. */
  readonly offset: number
}

/**
 * Copies a filled market inside its database as often as its plan says. The same players trade the copied tokens at the
 * same times, and they are granted that much more money, so that the sums stay balanced. Journal rows are in the order
 * of ids and times, as on a market that grew.
 */
export async function copyMarket(
  { db: typed }: Pick<DatabaseClient, 'db'>,
  plan: MarketPlan,
  say: (line: string) => void,
): Promise<void> {
  if (plan.copies === 1) return
  const db = typed as unknown as Db
  const tokens = toOriginalPlan(plan).tokens.length
  await run(db, 'create unlogged table copied_trades (id bigint, original bigint, token_id int, hash bytea)')
  await run(db, 'create unlogged table copied_heads (token_id int primary key, head bytea)')
  await makeRoom(db, plan.copies)
  for (let number = 1; number < plan.copies; number++) {
    await copyTokens(db, { number, tokens, offset: tokens * number })
    say(`  ${number} of ${plan.copies - 1} copies`)
  }
  await copyTrades(db, plan.copies, say)
  await multiplyMoney(db, plan.copies)
  await run(db, 'drop table copied_trades, copied_heads')
}

/** Multiplies the originals' positions, so that their copies' positions lie between them. */
async function makeRoom(db: Db, copies: number): Promise<void> {
  await run(db, `select next_position((select max(id) from trades) * ${copies - 1})`)
  // Negative first, because no two trades may have the same id in between.
  await run(db, `update trades set id = -id * ${copies}`)
  await run(db, 'update trades set id = -id')
  await run(db, `update tokens set position = position * ${copies}`)
}

/** Copies everything except trades, because trades' hashes and order depend on all copies. */
async function copyTokens(db: Db, { number, tokens, offset }: Copy): Promise<void> {
  await run(
    db,
    `insert into tokens (id, creator_id, name, symbol, emoji, description, website, x, telegram, supply, launch_price,
       launch_fee, request_key, request_hash, created_at, position)
     select id + ${offset}, creator_id, 'Paper Moon ' || id + ${offset}, left('PM' || id + ${offset}, 10), emoji,
       description, website, x, telegram, supply, launch_price, launch_fee, md5(request_key || ' ${number}'),
       request_hash, created_at, position + ${number}
     from tokens where id <= ${tokens}`,
  )
  await run(db, sqlChains({ number, tokens, offset }))
  await run(
    db,
    `insert into pools (token_id, chain_head, ${POOL_COLUMNS})
     select c.token_id, head, ${POOL_COLUMNS}
     from pools p join copied_heads c on c.token_id = p.token_id + ${offset} where p.token_id <= ${tokens}`,
  )
  await run(
    db,
    `insert into holdings (token_id, user_id, amount, cost)
     select token_id + ${offset}, user_id, amount, cost from holdings where token_id <= ${tokens}`,
  )
  await run(
    db,
    `insert into closed_candles (token_id, width, bucket, open, high, low, close, volume, trades)
     select token_id + ${offset}, width, bucket, open, high, low, close, volume, trades
     from closed_candles where token_id <= ${tokens}`,
  )
}

/** Pool columns that are copied unchanged. */
const POOL_COLUMNS = `sol_reserve, virtual_sol, token_reserve, fees, price, seq, last_event_at,
  minute_open, minute_high, minute_low, minute_volume, minute_trades, hour_open, hour_high, hour_low, hour_volume,
  hour_trades, day_open, day_high, day_low, day_volume, day_trades`

/** Returns SQL that computes a copy's hashes, which differ because the copy's token ids differ. */
const sqlChains = ({ number, tokens, offset }: Copy): string => `do $$
  declare
    token record; entry record; head bytea;
  begin
    for token in select * from tokens where id > ${offset} and id <= ${offset + tokens} loop
      head := ${sqlSha256(LAUNCH_TEXT)};
      for entry in
        select id, ${TRADE_TEXT} as text
        from (select *, token.id as token_id from (select ${TRADE_COLUMNS} from trades
          where token_id = token.id - ${offset}) original order by seq) copy
      loop
        head := ${sqlSha256("encode(head, 'hex') || E'\\n' || entry.text")};
        insert into copied_trades values (entry.id + ${number}, entry.id, token.id, head);
      end loop;
      insert into copied_heads values (token.id, head);
    end loop;
  end $$`

/** Trade columns that are copied unchanged. */
const TRADE_COLUMNS = `id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve, token_reserve, spot_price,
  created_at`

async function copyTrades(db: Db, copies: number, say: (line: string) => void): Promise<void> {
  await run(db, 'create index on copied_trades (original)')
  await run(db, 'analyze copied_trades')
  const { rows } = await sql<{ last: number }>`select max(original) as last from copied_trades`.execute(db)
  const last = rows[0]?.last ?? 0
  for (let from = 0; from < last; from += CHUNK * copies) {
    await run(
      db,
      `insert into trades (id, token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve,
         token_reserve, spot_price, request_key, created_at, hash)
       select c.id, c.token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve, token_reserve,
         spot_price, md5(request_key || ' ' || c.id), created_at, c.hash
       from copied_trades c join trades t on t.id = c.original
       where c.original > ${from} and c.original <= ${from + CHUNK * copies} order by c.id`,
    )
    say(`  ${Math.min(100, Math.round(((from + CHUNK * copies) / last) * 100))} % of the copied trades`)
  }
}

/**
 * Multiplies the players' money. The SOL is recorded as a grant like an account reset, so that the sums stay balanced.
 */
async function multiplyMoney(db: Db, copies: number): Promise<void> {
  await run(
    db,
    `insert into grants (user_id, kind, amount, created_at)
     select user_id, 'reset', amount * ${copies - 1}, created_at from grants`,
  )
  await run(db, `update accounts set sol_balance = sol_balance * ${copies}, realized_pnl = realized_pnl * ${copies}`)
}

async function run(db: Db, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}
