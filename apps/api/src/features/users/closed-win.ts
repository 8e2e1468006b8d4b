import { Decimal, percentText, solText } from '@papermoon/amm'
import type { ClosedPosition, ClosedWin } from '@papermoon/contract/users'
import { formatNumeric } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { IS_BOT, visibleTokens } from '../../database/conditions.ts'

/** Min gain of a position that the site shows as a win, as a part of the cost. */
const WON_MIN = new Decimal('0.1')

type ClosedRow = Pick<ClosedPosition, 'user' | 'token' | 'paid' | 'received' | 'trades' | 'isRugged'> & {
  readonly beganAt: Date
  readonly endedAt: Date
}

interface Closed {
  readonly userId: UserId
  readonly tokenId: TokenId
}

/** Returns a closed position if it gained more than 10 %, otherwise null. */
export async function getClosedWin(app: App, closed: Closed): Promise<{ win: ClosedWin | null }> {
  const { position } = await getClosedPosition(app, closed)
  if (position === null) return { win: null }
  const { isRugged, ...win } = position
  return { win: !isRugged && new Decimal(win.profit).gt(new Decimal(win.paid).mul(WON_MIN)) ? win : null }
}

/**
 * Returns a player's gain or loss with a token that they sold completely, over all their trades of that token. A single
 * sale proves no gain, because the player may have caused its price. A rug pull closes the positions of all players
 * except the token's creator. Returns null while the player holds the token, and for a hidden token or a deleted
 * player.
 */
export async function getClosedPosition(
  { platform: { db } }: App,
  { userId, tokenId }: Closed,
): Promise<{ position: ClosedPosition | null }> {
  const { rows } = await sql<ClosedRow>`
    select json_build_object('id', u.id, 'username', u.username, 'isBot', ${IS_BOT}) as user,
           json_build_object('id', t.id, 'name', t.name, 'symbol', t.symbol, 'emoji', t.emoji) as token,
           s.paid, s.received, s.trades, s.began_at as "beganAt", h.is_held as "isRugged",
           case when h.is_held then r.created_at else s.ended_at end as "endedAt"
      from users u cross join ${visibleTokens} t cross join lateral (
        select coalesce(sum(sol_amount) filter (where side = 'buy'), 0) as paid,
               coalesce(sum(sol_amount) filter (where side = 'sell'), 0) as received,
               count(*)::int as trades, min(created_at) as began_at, max(created_at) as ended_at
          from trades where user_id = u.id and token_id = t.id
      ) s cross join lateral (
        select exists (select from holdings h where h.user_id = u.id and h.token_id = t.id and h.amount > 0) as is_held
      ) h left join rugs r on r.token_id = t.id and r.user_id <> u.id
     where u.id = ${userId} and u.deleted_at is null and t.id = ${tokenId} and s.trades > 0
       and (r.token_id is not null or not h.is_held)`.execute(db)
  const [row] = rows
  if (row === undefined) return { position: null }
  const paid = new Decimal(row.paid)
  const profit = new Decimal(row.received).sub(paid)
  return {
    position: {
      ...row,
      paid: formatNumeric(row.paid),
      received: formatNumeric(row.received),
      profit: solText(profit),
      profitPercent: percentText(profit, paid),
      beganAt: row.beganAt.toISOString(),
      endedAt: row.endedAt.toISOString(),
    },
  }
}
