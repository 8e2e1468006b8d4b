import { PLAYER_TRADES_PAGE, type PlayerTrades, type PlayerTradesInput, playerTrades } from '@papermoon/contract/users'
import { formatNumeric } from '@papermoon/db'
import type { MarketEvent, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { CachedQuery } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { visibleTokens } from '../../database/conditions.ts'
import { findPublicUser, UserNotFoundError } from './store.ts'

const tradesQuery: CachedQuery<UserId, PlayerTrades> = {
  name: 'player trades',
  schema: playerTrades,
  key: String,
  weight: () => 1,
  // The cached result is always fresh, because events contain every trade.
  isFresh: () => true,
  scope: () => 'market',
  applyEvents: (known, events, id) => ({
    data: known,
    stale: events.some((event) => isTradeOf(event, id) || isRugOf(event, known)),
  }),
}

/** Returns whether an event contains a trade by the player. A launch event may contain a first buy. */
function isTradeOf(event: MarketEvent, id: UserId): boolean {
  if (event.type === 'trade') return event.trade.userId === id
  return event.type === 'token_launched' && event.creator.id === id
}

/** Returns whether an event is the rug pull of a token in one of the trades. */
function isRugOf(event: MarketEvent, trades: PlayerTrades): boolean {
  return event.type === 'rug_pull' && trades.some(({ tokenId }) => tokenId === event.tokenId)
}

/** Returns a page of a player's trades, newest first, without hidden tokens. Throws `UserNotFoundError`. */
export async function getPlayerTrades(app: App, input: PlayerTradesInput): Promise<PlayerTrades> {
  const { id, limit = PLAYER_TRADES_PAGE, cursor } = input
  // Only the default page is cached, because most callers read it.
  if (limit !== PLAYER_TRADES_PAGE || cursor !== undefined) return await readTrades(app, { id, limit, cursor })
  return await app.market.queryCache.get(tradesQuery, id, () => readTrades(app, { id, limit, cursor }))
}

type TradeRow = Omit<PlayerTrades[number], 'createdAt' | 'ruggedAt'> & {
  readonly createdAt: Date
  readonly ruggedAt: Date | null
}

async function readTrades({ platform: { db } }: App, { id, limit, cursor }: PlayerTradesInput): Promise<PlayerTrades> {
  const before = sql`(r.created_at, r.id) < (select created_at, id from trades where id = ${cursor} and user_id = ${id})`
  const { rows } = await sql<TradeRow>`
    select r.id, r.seq, r.token_id as "tokenId", t.name as "tokenName", t.symbol as "tokenSymbol", t.emoji, r.side,
           r.sol_amount as "solAmount", r.token_amount as "tokenAmount", r.created_at as "createdAt",
           p.rugged_at as "ruggedAt"
      from trades r join ${visibleTokens} t on t.id = r.token_id join pools p on p.token_id = r.token_id
     where r.user_id = ${id} and ${cursor === undefined ? sql`true` : before}
     order by r.created_at desc, r.id desc limit ${limit}`.execute(db)
  if (rows.length === 0 && (await findPublicUser(db, id)) === undefined) throw new UserNotFoundError()
  return rows.map((row) => ({
    ...row,
    solAmount: formatNumeric(row.solAmount),
    tokenAmount: formatNumeric(row.tokenAmount),
    createdAt: row.createdAt.toISOString(),
    ruggedAt: row.ruggedAt?.toISOString() ?? null,
  }))
}
