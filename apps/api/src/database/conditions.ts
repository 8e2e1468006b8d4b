import { COURT_MS, VOTERS_MIN } from '@papermoon/contract/talk'
import type { MarketTrade } from '@papermoon/contract/tokens'
import type { Database, Db } from '@papermoon/db'
import { type TokenId, type TradeRow, toTrade, type UserId } from '@papermoon/engine'
import { type RawBuilder, type Selectable, sql } from 'kysely'

/**
 * SQL for whether a user `u` may have a rank, a medal or a rating. A suspended or frozen account appears on no board.
 * When the suspension ends, the player gets their ranks, medals and rating back. Giveaway winners, fair results and
 * medal stickers that were determined during the suspension do not change.
 */
export const MAY_RANK = sql<boolean>`(u.standing = 'active')`

/** SQL for whether a user `u` is a bot, declared by its owner or run by the house. */
export const IS_BOT = sql<boolean>`(u.kind <> 'player')`

/**
 * The table `tokens` without tokens that an operator has hidden. Public queries join this instead of `tokens`.
 * PostgreSQL inlines it, so it uses the same indexes as the table.
 */
export const visibleTokens = sql<Selectable<Database['tokens']>>`(select * from tokens where hidden_at is null)`

export async function tokenExists(db: Db, id: TokenId): Promise<boolean> {
  const row = await db.selectFrom(visibleTokens.as('t')).select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

export interface MarketTradeRow extends TradeRow {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
}

/** SQL for the columns of a `MarketTradeRow`, from a trade `t` by a user `u` for a token `k`. */
export const MARKET_TRADE = sql`
  t.id, t.token_id, t.seq, t.user_id, u.username, ${IS_BOT} as is_bot, t.side, t.sol_amount, t.fee, t.token_amount,
  t.price, t.spot_price, t.created_at, k.name, k.symbol, k.emoji`

export function toMarketTrade(row: MarketTradeRow): MarketTrade {
  return { ...toTrade(row), tokenName: row.name, tokenSymbol: row.symbol, emoji: row.emoji }
}

/**
 * SQL for the verdicts of rugged tokens' courts, final or preliminary: `token_id`, `user_id` (the creator), `ended_at`
 * and `verdict`. Votes of suspended and frozen accounts do not count. If too few players voted or the votes are tied,
 * there is no row.
 */
export const verdicts = sql`(
  select r.token_id, r.user_id, r.created_at + ${sql.lit(COURT_MS)} * interval '1 millisecond' as ended_at, found.verdict
    from rugs r cross join lateral (
      select case when sum(v.weight) filter (where v.verdict = 'scoundrel') * 2 > sum(v.weight)
                  then 'scoundrel' else 'fair game' end as verdict
        from court_votes v join users u on u.id = v.user_id
       where v.token_id = r.token_id and u.standing = 'active'
      having count(*) >= ${sql.lit(VOTERS_MIN)}
         and coalesce(sum(v.weight) filter (where v.verdict = 'scoundrel'), 0) * 2 <> sum(v.weight)
    ) found
   where r.token_id in (select token_id from court_votes))`

/**
 * Counts, for each player, the accounts that logged in from one of the player's browsers in the last 90 days. The count
 * includes the player's own account. Accounts younger than the player's own are not counted, so that a person's first
 * account can win.
 */
export async function countBrowserAccounts(db: Db, ids: readonly UserId[]): Promise<Map<UserId, number>> {
  const { rows } = await sql<{ id: UserId; count: number }>`
    select u.id, 1 + count(distinct other.id)::int as count
      from users u
      join account_browsers own on own.user_id = u.id
      join account_browsers shared on shared.browser_hash = own.browser_hash and shared.user_id <> u.id
      join users other on other.id = shared.user_id and (other.created_at, other.id) < (u.created_at, u.id)
     where u.id = any(${ids}::int[]) group by u.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row.count]))
}

/** Returns SQL for whether two players logged in from the same browser. */
export function sharesBrowser(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from account_browsers ours join account_browsers theirs using (browser_hash)
     where ours.user_id = ${one} and theirs.user_id = ${other})`
}
