import { MOVERS_MAX, type Movers, movers } from '@papermoon/contract/tokens'
import type { Db } from '@papermoon/db'
import { patchMovers } from '@papermoon/live'
import { sql } from 'kysely'
import { type CachedQuery, isSameMinute } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { IS_BOT, visibleTokens } from '../../../database/conditions.ts'
import { lastDayStart } from '../../../lib/durations.ts'
import { findTokens, type TokenRow, tokenRows } from '../store.ts'
import { toToken } from '../to-token.ts'

/** How long a list keeps the same tokens, in ms. During this time, events update the figures of these tokens. */
const AGE_MAX_MS = 10_000
const COLUMNS = 3

const moversQuery: CachedQuery<null, Movers> = {
  name: 'movers',
  schema: movers,
  key: () => '',
  weight: () => COLUMNS * MOVERS_MAX,
  scope: () => 'market',
  isFresh: (atMs, nowMs) => isSameMinute(atMs, nowMs) && nowMs >= atMs && nowMs < atMs + AGE_MAX_MS,
  applyEvents: patchMovers,
}

/** Returns three lists: the newest tokens, rising tokens, and the most traded tokens. */
export async function getMovers(app: App): Promise<Movers> {
  return await app.market.queryCache.get(moversQuery, null, () => readMovers(app))
}

async function readMovers({ platform: { db, clock } }: App): Promise<Movers> {
  const now = clock.now()
  const limit = MOVERS_MAX
  const traded = await findTraded(db, now)
  const [fresh, rising, hot] = await Promise.all([
    findTokens(db, { search: '', sort: 'newest', hidesRugged: false, limit, after: null, now }),
    findRising(db, traded, { limit, now }),
    findHot(db, traded, { limit, now }),
  ])
  return { fresh: fresh.map(toToken), rising: rising.map(toToken), hot: hot.map(toToken) }
}

/** Number of the market's newest trades that are searched. The limit keeps the cost the same in large markets. */
const TRADES_SEARCHED = 20_000
/** Max number of tokens from which the list of most traded tokens is chosen. */
const TRADED_MAX = 500
/** Min factor by which a listed token's price must have risen. A smaller gain would be shown as 0.00 %. */
const GAIN_MIN = '1.0001'

interface Traded {
  readonly id: number
  /** Number of buyers, not counting the creator and bots. */
  readonly buyers: number
}

/**
 * Finds open tokens by the SOL traded in the market's newest 20,000 trades of the last 24 hours, the most traded first.
 * On a quiet day, these are all trades of the day; on a busy day, they are only those of the last minutes.
 */
async function findTraded(db: Db, now: Date): Promise<Traded[]> {
  const { rows } = await sql<Traded>`
    with by_player as materialized (
      select token_id, user_id, sum(sol_amount) as volume, bool_or(side = 'buy') as has_bought
        from (select token_id, user_id, side, sol_amount, created_at from trades order by id desc limit ${TRADES_SEARCHED}) t
       where created_at >= ${lastDayStart(now)}
       group by token_id, user_id
    ), traded as materialized (
      select token_id, sum(volume) as volume
        from by_player group by token_id order by volume desc, token_id desc limit ${TRADED_MAX}
    )
    select token_id as id, (count(*) filter (where has_bought and user_id <> k.creator_id and not ${IS_BOT}))::int as buyers
      from traded
      join by_player using (token_id)
      join users u on u.id = by_player.user_id
      join ${visibleTokens} k on k.id = token_id
      join pools p using (token_id)
     where p.rugged_at is null
     group by token_id, traded.volume
     order by traded.volume desc, token_id desc`.execute(db)
  return rows
}

interface Column {
  readonly limit: number
  readonly now: Date
}

/**
 * Finds tokens that gained in 24 hours and that people other than their creators bought. Tokens with the most buyers
 * come first, then those with the largest gain. One player alone can therefore not bring a token onto the list, even
 * with large buys.
 */
async function findRising(db: Db, traded: readonly Traded[], { limit, now }: Column): Promise<TokenRow[]> {
  const bought = traded.filter(({ buyers }) => buyers > 0)
  const gain = sql`p.price / coalesce(ago.close, t.launch_price)`
  const page = sql`
    select p.token_id, row_number() over (order by bought.buyers desc, ${gain} desc, p.token_id desc) as place
      from unnest(${bought.map(({ id }) => id)}::int[], ${bought.map(({ buyers }) => buyers)}::int[]) bought (token_id, buyers)
      join pools p on p.token_id = bought.token_id
      join tokens t on t.id = p.token_id
      left join lateral (
        select close from candles where token_id = p.token_id and width = 60 and bucket < ${lastDayStart(now)}
         order by bucket desc limit 1
      ) ago on true
     where ${gain} >= ${GAIN_MIN}
     order by place limit ${limit}`
  const { rows } = await tokenRows(page, now).execute(db)
  return rows
}

/** Finds the most traded tokens, sorted by their displayed 24-hour volume. */
async function findHot(db: Db, traded: readonly Traded[], { limit, now }: Column): Promise<TokenRow[]> {
  const ids = traded.slice(0, limit).map(({ id }) => id)
  const page = sql`select id as token_id, 1 as place from unnest(${ids}::int[]) id`
  const { rows } = await sql<TokenRow>`
    select * from (${tokenRows(page, now)}) hot order by volume_24h desc, id desc`.execute(db)
  return rows
}
