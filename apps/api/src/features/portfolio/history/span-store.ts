import { Decimal, type Gain, gainBetween, type Sol } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { CachedKind } from '../../../cache/memory.ts'
import type { AppPart } from '../../../context.ts'
import type { Snapshot } from '../../../database/snapshot.ts'
import { lastDayStart } from '../../../lib/durations.ts'
import { cashOutSql, findNetWorth, type NetWorth, stakeWorthSql, VIRTUAL, wasSealedAt } from '../net-worth.ts'

/** Age in ms from which past events no longer change. All trades from before that time are committed. */
const SETTLED_MS = 3_600_000

/** Caches values by player and time. The past never changes, and an open portfolio page reads it after every trade. */
const spanStarts: CachedKind<SpanStart> = { name: 'span start', sizeKb: ({ cashOuts }) => 1 + cashOuts.size / 4 }

type Parts = AppPart<'db' | 'clock' | 'memory'>

/** Returns the 24-hour gain of a holding from its current cash-out value. */
export type HoldingGain = (tokenId: TokenId, cashOut: Sol) => Gain

/** A player's net worth at the start of a period. */
interface SpanStart {
  readonly netWorth: Sol
  /** Cash-out value of each token held at that time, without zeros. */
  readonly cashOuts: ReadonlyMap<TokenId, Sol>
}

/** A player and the start of a period. An event exactly at that time belongs to the period. */
export interface Begin {
  readonly userId: UserId
  readonly since: Date
}

/** SOL paid and received for a token in a period. */
export interface TokenFlow {
  readonly solIn: Sol
  readonly solOut: Sol
}

const POOL_THEN = { sol: sql`pool.sol`, virtualSol: VIRTUAL, tokens: sql`pool.tokens` }

const WORTH_THEN = stakeWorthSql({ ...POOL_THEN, amount: sql`s.held`, isOwn: sql`s.is_own` })

/**
 * Returns SQL for each token that a player holds, held at a certain time, or traded later. The columns are the token's
 * exact cash-out value at that time, its part of the net worth then, and the SOL that the token has brought since
 * (trades, launch fee, rug proceeds). A pool without events after that time has not changed. Any other pool was in the
 * state after the last trade before that time. A token's times never decrease with its sequence numbers, so a binary
 * search finds this trade with one index lookup per step.
 */
function stakesAt({ userId, since }: Begin) {
  return sql`
    with recursive flow as (
      select token_id, sum(case side when 'sell' then sol_amount else -sol_amount end) as sol,
             sum(case side when 'buy' then token_amount else -token_amount end) as tokens
        from trades where user_id = ${userId} and created_at >= ${since} group by token_id
    ), stake as materialized (
      select staked.token_id, coalesce(h.amount, 0) - coalesce(f.tokens, 0) as held,
             t.creator_id = ${userId} and not ${wasSealedAt(sql`t.id`, sql`${since}`)} as is_own,
             coalesce(f.sol, 0)
               - case when t.creator_id = ${userId} and t.created_at >= ${since} then t.launch_fee else 0 end
               + case when t.creator_id = ${userId} and r.created_at >= ${since} then r.amount else 0 end as flow,
             t.supply, p.sol_reserve, p.token_reserve, p.last_event_at >= ${since} as has_moved,
             p.seq - case when r.token_id is null then 0 else 1 end as trades,
             t.created_at < ${since} and (r.created_at is null or r.created_at >= ${since}) as was_open
        from (select token_id from holdings where user_id = ${userId} and amount > 0
              union select token_id from flow union select id from tokens where creator_id = ${userId}) staked
        join tokens t on t.id = staked.token_id
        join pools p on p.token_id = staked.token_id
        left join flow f on f.token_id = staked.token_id
        left join rugs r on r.token_id = staked.token_id
        left join holdings h on h.token_id = staked.token_id and h.user_id = ${userId}
    ), search (token_id, supply, low, high) as (
      select token_id, supply, 0::bigint, trades from stake where was_open and has_moved and (held > 0 or is_own)
      union all
      select token_id, supply, case when is_before then middle else low end, case when is_before then high else middle - 1 end
        from search, lateral (select (low + high + 1) / 2 as middle) half, lateral (
          select created_at < ${since} as is_before from trades b where b.token_id = search.token_id and b.seq = middle limit 1
        ) found
       where low < high
    ), pool as (
      select token_id, sol_reserve as sol, token_reserve as tokens from stake where was_open and not has_moved
      union all
      select search.token_id, coalesce(last.sol_reserve, ${VIRTUAL}), coalesce(last.token_reserve, supply)
        from search left join lateral (
          select sol_reserve, token_reserve from trades b where b.token_id = search.token_id and b.seq = low limit 1
        ) last on true
       where low = high
    )
    select s.token_id, s.flow,
           case when s.held > 0 and pool.sol is not null then ${cashOutSql(POOL_THEN, sql`s.held`)} else 0 end as cash_out,
           case when pool.sol is not null then ${WORTH_THEN} else 0 end as worth
      from stake s left join pool using (token_id)`
}

/** A player's stakes at a past time, and the SOL that they have brought since. */
export interface StakesThen {
  /** Exact total value at that time (sum of `stakeWorth`). */
  readonly worth: Sol
  /** Change of the balance since that time by trades, launch fees and rug proceeds, in SOL; may be negative. */
  readonly flow: Sol
  /** Cash-out value of each token at that time, after the fee. Tokens without value are left out. */
  readonly cashOuts: ReadonlyMap<TokenId, Sol>
}

export async function findStakesAt(snapshot: Snapshot, begin: Begin): Promise<StakesThen> {
  const { rows } = await sql<{ token_id: TokenId; flow: string; cash_out: string; worth: string }>`
    ${stakesAt(begin)}`.execute(snapshot)
  const sum = (texts: readonly string[]) => texts.reduce((total, text) => total.add(text), new Decimal(0))
  const cashOuts = rows.map(({ token_id, cash_out }) => [token_id, new Decimal(cash_out)] as const)
  return {
    worth: sum(rows.map(({ worth }) => worth)),
    flow: sum(rows.map(({ flow }) => flow)),
    cashOuts: new Map(cashOuts.filter(([, cashOut]) => !cashOut.isZero())),
  }
}

/** Sums the SOL that a player paid and received since a time, by token. */
export async function findTokenFlows(snapshot: Snapshot, { userId, since }: Begin): Promise<Map<TokenId, TokenFlow>> {
  const { rows } = await sql<{ token_id: TokenId; sol_in: string; sol_out: string }>`
    select token_id, coalesce(sum(sol_amount) filter (where side = 'buy'), 0) as sol_in,
           coalesce(sum(sol_amount) filter (where side = 'sell'), 0) as sol_out
      from trades where user_id = ${userId} and created_at >= ${since} group by token_id`.execute(snapshot)
  return new Map(
    rows.map(({ token_id, sol_in, sol_out }) => [
      token_id,
      { solIn: new Decimal(sol_in), solOut: new Decimal(sol_out) },
    ]),
  )
}

/** Reads a player's current balance. */
export async function findBalance(snapshot: Snapshot, userId: UserId): Promise<Sol> {
  const row = await snapshot
    .selectFrom('accounts')
    .select('sol_balance')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return new Decimal(row.sol_balance)
}

export interface Grants {
  /** The player's first grant. Null if there is none. */
  readonly first: { readonly at: Date; readonly amount: Sol } | null
  readonly total: Sol
  /** SOL that was granted to the player before that time. */
  readonly before: Sol
}

export async function findGrants(snapshot: Snapshot, { userId, since }: Begin): Promise<Grants> {
  const { rows } = await sql<{ at: Date | null; amount: string | null; total: string; before: string }>`
    select min(created_at) as at, (array_agg(amount order by created_at, id))[1] as amount,
           coalesce(sum(amount), 0) as total,
           coalesce(sum(amount) filter (where created_at < ${since}), 0) as before
      from grants where user_id = ${userId}`.execute(snapshot)
  const { at = null, amount = null, total = '0', before = '0' } = rows[0] ?? {}
  return {
    first: at === null || amount === null ? null : { at, amount: new Decimal(amount) },
    total: new Decimal(total),
    before: new Decimal(before),
  }
}

/** Reads a player's exact net worth at a past time, and the cash-out value of each holding at that time. */
export async function readSpanStart(
  { platform, market: { memory } }: Parts,
  snapshot: Snapshot,
  begin: Begin,
): Promise<SpanStart> {
  const key = `${begin.userId} ${begin.since.getTime()}`
  const cached = memory.find(spanStarts, key)
  if (cached !== undefined) return cached
  const { worth, flow, cashOuts } = await findStakesAt(snapshot, begin)
  const { total, before } = await findGrants(snapshot, begin)
  const balance = (await findBalance(snapshot, begin.userId)).sub(flow).sub(total.sub(before))
  const start = { netWorth: balance.add(worth), cashOuts }
  if (platform.clock.now().getTime() - begin.since.getTime() >= SETTLED_MS) memory.store(spanStarts, key, start)
  return start
}

/**
 * Computes the gain since a time: the net worth now, minus the net worth then, minus SOL granted since. For a player
 * who joined later than that, the first SOL is used instead of the earlier net worth.
 */
export async function readGain(
  app: Parts,
  snapshot: Snapshot,
  begin: Begin,
): Promise<Gain & Pick<NetWorth, 'netWorth'>> {
  const { netWorth } = await findNetWorth(snapshot, begin.userId)
  const { first, total, before } = await findGrants(snapshot, begin)
  const isYoung = first !== null && first.at >= begin.since
  const start = isYoung ? first.amount : (await readSpanStart(app, snapshot, begin)).netWorth
  return { ...gainBetween({ start, now: netWorth, granted: total.sub(isYoung ? first.amount : before) }), netWorth }
}

/**
 * Computes the 24-hour gain of each holding: its cash-out value now minus that of a day ago, plus SOL received for it
 * and minus SOL paid for it since.
 */
export async function readHoldingGains(app: Parts, snapshot: Snapshot, userId: UserId): Promise<HoldingGain> {
  const begin = { userId, since: lastDayStart(app.platform.clock.now()) }
  const { cashOuts } = await readSpanStart(app, snapshot, begin)
  const flows = await findTokenFlows(snapshot, begin)
  const zero = new Decimal(0)
  return (tokenId, cashOut) => {
    const cashOutThen = cashOuts.get(tokenId) ?? zero
    const { solIn, solOut } = flows.get(tokenId) ?? { solIn: zero, solOut: zero }
    return { profit: cashOut.sub(cashOutThen).add(solOut).sub(solIn), base: cashOutThen.add(solIn) }
  }
}
