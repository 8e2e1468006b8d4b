import { Decimal, percentText, solText } from '@papermoon/amm'
import { WELCOME_PARTS_MAX, type Welcome } from '@papermoon/contract/portfolio'
import type { Db } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../context.ts'
import { visibleTokens } from '../../database/conditions.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { computeLeague, findWeek } from '../fairs/public.ts'
import { findNotices, type Notice } from '../notices/public.ts'
import { readGain } from './history/span-store.ts'
import { findHoldings, type Holding } from './holdings.ts'

const DAYS_MAX = 30
/** Max number of listed holdings, of listed own tokens, and of each token's last trades. */
const HOLDINGS_MAX = 20
const CREATED_MAX = 20
const TRADES_MAX = 200
/** How long before a seal's end the seal is listed, in ms. */
const SEAL_ENDS_MS = DAY_MS

/**
 * Returns what happened to the player since their last visit. Leaves out kinds of news that the player gets no
 * notifications about.
 */
export async function getWelcome(
  app: AppPart<'db' | 'clock' | 'memory'>,
  userId: UserId,
  { since }: { readonly since: Date },
): Promise<Welcome> {
  const { db, clock } = app.platform
  const now = clock.now()
  const from = new Date(Math.max(since.getTime(), now.getTime() - DAYS_MAX * DAY_MS))
  return await inSnapshot(db, async (snapshot) => {
    const holdings = (await findHoldings(snapshot, userId, 'holder'))
      .filter(({ isListed }) => isListed)
      .slice(0, HOLDINGS_MAX)
    const notices = (await findNotices(snapshot, userId)).filter(({ createdAt }) => Date.parse(createdAt) > +from)
    const { profit } = await readGain(app, snapshot, { userId, since: from })
    return {
      gain: profit.isZero() ? null : solText(profit),
      bags: await listMoves(snapshot, holdings, from),
      buyers: await findBuyers(snapshot, userId, from),
      orders: toFilled(notices),
      passedBy: notices.find(({ kind }) => kind === 'top3')?.actor ?? null,
      seal: findSealEnd(holdings, now),
      league: await findLeagueRank(snapshot, userId, { from, now }),
    }
  })
}

/** Finds the player's rank in the league, and the players who overtook them since their last visit. */
async function findLeagueRank(
  db: Db,
  userId: UserId,
  { from, now }: { readonly from: Date; readonly now: Date },
): Promise<Welcome['league']> {
  const week = await findWeek(db)
  if (week === undefined) return null
  const readGroup = async (at: Date) => {
    const rows = await computeLeague(db, week, at)
    const own = rows.find(({ user_id }) => user_id === userId)
    return rows.filter((row) => row.division === own?.division && row.group_number === own.group_number)
  }
  const group = await readGroup(now)
  const own = group.find(({ user_id }) => user_id === userId)
  if (own === undefined) return null
  const { place, division } = own
  if (+from < Date.parse(week)) return { place, division, passedBy: null }
  const before = (await readGroup(from)).map(({ user_id }) => user_id)
  const passedBy = group.find((row) => row.place < place && before.indexOf(row.user_id) > before.indexOf(userId))
  return {
    place,
    division,
    passedBy: passedBy === undefined ? null : { id: passedBy.user_id as UserId, username: passedBy.username },
  }
}

/** Finds the holdings whose value changed most, and the change of the price in percent. */
async function listMoves(db: Db, holdings: readonly Holding[], from: Date): Promise<Welcome['bags']> {
  const ids = holdings.map(({ tokenId }) => tokenId)
  const { rows } = await sql<{ token_id: TokenId; price: string }>`
    select h.token_id, c.close as price
      from unnest(${ids}::int[]) as h (token_id) cross join lateral (
        (select close, bucket from candles where token_id = h.token_id and width = 60
            and bucket <= ${from}::timestamptz - interval '1 minute' order by bucket desc limit 1)
        union all
        (select close, bucket from candles where token_id = h.token_id and width = 3600
            and bucket <= ${from}::timestamptz - interval '1 hour' order by bucket desc limit 1)
        order by bucket desc limit 1
      ) c`.execute(db)
  const before = new Map(rows.map((row) => [row.token_id, new Decimal(row.price)]))
  const moves = holdings.flatMap(({ tokenId, name, symbol, emoji, amount, price }) => {
    const then = before.get(tokenId)
    const change = then === undefined ? null : price.sub(then)
    if (then === undefined || change === null || change.isZero()) return []
    const token = { id: tokenId, name, symbol, emoji }
    return [{ worth: change.mul(amount).abs(), move: { token, percent: percentText(change, then) } }]
  })
  return moves
    .sort((a, b) => b.worth.cmp(a.worth))
    .slice(0, WELCOME_PARTS_MAX)
    .map(({ move }) => move)
}

/** Finds who bought the player's tokens, for how much SOL, and which token they bought most. */
async function findBuyers(db: Db, userId: UserId, from: Date): Promise<Welcome['buyers']> {
  const { rows } = await sql<NonNullable<Welcome['buyers']>>`
    with created as materialized (
      select id, name, symbol, emoji from ${visibleTokens} t
       where creator_id = ${userId} order by id desc limit ${CREATED_MAX}
    ), bought as materialized (
      select c.id, x.user_id, x.sol_amount from created c cross join lateral (
        select * from trades where token_id = c.id order by seq desc limit ${TRADES_MAX}
      ) x where x.side = 'buy' and x.user_id <> ${userId} and x.created_at > ${from}
    )
    select count(distinct user_id)::int as players, count(distinct id)::int as tokens, sum(sol_amount)::text as sol,
           (select json_build_object('id', c.id, 'name', c.name, 'symbol', c.symbol, 'emoji', c.emoji)
              from bought b join created c on c.id = b.id group by c.id, c.name, c.symbol, c.emoji
             order by sum(b.sol_amount) desc limit 1) as token
      from bought`.execute(db)
  const [row] = rows
  if (row === undefined || row.players === 0) return null
  return { ...row, sol: solText(new Decimal(row.sol)) }
}

/** Counts the player's waiting orders that were filled, and finds the last one. */
function toFilled(notices: readonly Notice[]): Welcome['orders'] {
  const filled = notices.filter(({ kind, order }) => kind === 'order' && order?.state === 'filled')
  const token = filled[0]?.token ?? null
  if (token === null) return null
  const { id, name, symbol, emoji } = token
  return { count: filled.reduce((sum, { times }) => sum + times, 0), token: { id, name, symbol, emoji } }
}

/** Finds the next seal of a held token to end. */
function findSealEnd(holdings: readonly Holding[], now: Date): Welcome['seal'] {
  const ends = (holding: Holding) => holding.sealedUntil?.getTime() ?? 0
  const [next] = holdings
    .filter((holding) => ends(holding) > now.getTime() && ends(holding) < now.getTime() + SEAL_ENDS_MS)
    .sort((a, b) => ends(a) - ends(b))
  if (next?.sealedUntil == null) return null
  const { tokenId, name, symbol, emoji, sealedUntil } = next
  return { token: { id: tokenId, name, symbol, emoji }, until: sealedUntil.toISOString() }
}
