import { hash, randomBytes } from 'node:crypto'
import { Decimal, launchPool, type Pool, priceText, quoteBuy, quoteSell, realSol, spotPrice } from '@papermoon/amm'
import { createRandom, type Random } from '@papermoon/bots'
import { TAPE_MS } from '@papermoon/contract/tape'
import type { Db, TapesTable } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import { type Insertable, sql } from 'kysely'
import { visibleTokens } from '../../database/conditions.ts'
import { computeGain, findBest } from './score.ts'

/** Number of trades in one game's section of the past. */
const SECTION_TRADES = 60

/** Min factor by which the best possible buy and sale in a game must beat both holding and doing nothing. */
const BEST_OVER_HOLD_MIN = 1.2

/** Max number of tokens that are read. Reading all tokens of a large market would take too long. */
const TOKENS_MAX = 300

const TRADES_MAX = 160 * SECTION_TRADES

/** A section of a token's past trades. */
export interface Section {
  readonly tokenId: TokenId
  readonly fromSeq: number
  readonly toSeq: number
}

interface Candidate {
  readonly tokenId: TokenId
  readonly seq: number
}

interface BotTrades {
  readonly userId: number
  readonly username: string
  /** SOL that the bot paid and received, and tokens that it bought minus tokens that it sold. */
  readonly paid: string
  readonly received: string
  readonly tokens: string
}

/**
 * Min number of sections to choose from. If there are fewer sections, the game uses a made-up market. A market of two
 * weeks has about thirty sections.
 */
export const SECTIONS_MIN = 14

const DAY_MS = 24 * 3_600_000

/** Time of the section's last point in ms. The last point comes before the end, so that players can react to it. */
const LAST_POINT_MS = TAPE_MS - 4_000

export type NewTape = Insertable<TapesTable>

/**
 * Chooses the game of a day with a new random seed. For the same journal, a seed always chooses the same section. All
 * trades in the section are at least a day old.
 */
export async function chooseTape(
  db: Db,
  { day, now, seed = randomBytes(16).toString('hex') }: { day: string; now: Date; seed?: string },
): Promise<NewTape> {
  const random = createRandom(seed)
  const section = await drawSection(db, { seed, random, before: new Date(now.getTime() - DAY_MS) })
  const trades = section === null ? makeUpLively(random.fork('market')) : await readSection(db, section)
  const place = section === null ? 'made up' : `token ${section.tokenId}, trades ${section.fromSeq} to ${section.toSeq}`
  return {
    day,
    token_id: section?.tokenId ?? null,
    from_seq: section?.fromSeq ?? null,
    to_seq: section?.toSeq ?? null,
    factor: String(1_000_000_000 + random.fork('size').int(4_000_000_000)),
    points: JSON.stringify(toPoints(trades, random.fork('time').uniform(0.3, 0.6))),
    proof: `Papermoon tape ${day}\nseed ${seed}\n${place}`,
    made_at: now,
  }
}

/**
 * Returns the SHA-256 of a text. Publishing the hash before the game makes it possible to prove later that the choice
 * did not change.
 */
export function toCommit(proof: string): string {
  return hash('sha256', proof, 'hex')
}

interface Draw {
  readonly seed: string
  readonly random: Random
  readonly before: Date
}

/**
 * Draws a section of a token's past. Reads tokens in the seed's order until there are enough sections. Afterwards,
 * draws one of the sections from the first token with lively sections.
 */
async function drawSection(db: Db, { seed, random, before }: Draw): Promise<Section | null> {
  const found: Section[] = []
  for (const token of await findCandidates(db, { seed, before })) {
    found.push(...(await findSections(db, { ...token, part: random.next(), before })))
    if (found.length < SECTIONS_MIN) continue
    const ofFirst = found.filter(({ tokenId }) => tokenId === found[0]?.tokenId)
    return random.fork('stretch').pick(ofFirst)
  }
  return null
}

export interface TapeTrade {
  readonly price: string
  readonly at: Date
}

/**
 * Converts trades to the points of a game. A trade's time determines only about half of its point's position. Quiet
 * hours therefore pass faster, and nobody recognizes the market by its timing.
 */
function toPoints(trades: readonly TapeTrade[], timeWeight: number): [number, string][] {
  const start = trades[0]?.at.getTime() ?? 0
  const length = Math.max(1, (trades.at(-1)?.at.getTime() ?? 0) - start)
  return trades.map(({ price, at }, index) => {
    const byTime = (at.getTime() - start) / length
    const byCount = index / (trades.length - 1)
    return [Math.round(LAST_POINT_MS * (timeWeight * byTime + (1 - timeWeight) * byCount)), price]
  })
}

/** Makes up the trades of a market, and repeats this until the best buy and sale beat holding. */
function makeUpLively(random: Random): TapeTrade[] {
  for (;;) {
    const trades = makeUpTrades(random)
    const points = trades.map(({ price, at }) => ({ ms: at.getTime(), price: new Decimal(price) }))
    const held = computeGain(points, { boughtMs: points[0]?.ms ?? 0, soldMs: points.at(-1)?.ms ?? 0 }).add(1)
    if (findBest(points).gain.add(1).gte(Decimal.max(1, held).mul(BEST_OVER_HOLD_MIN))) return trades
  }
}

/** Makes up the trades of a market with a mood that changes slowly, on the real market maker. */
function makeUpTrades(random: Random): TapeTrade[] {
  let pool = quoteBuy(launchPool(), new Decimal(8)).pool
  let mood = random.normal()
  let time = 0
  return Array.from({ length: SECTION_TRADES }, () => {
    mood = 0.85 * mood + 0.6 * random.normal()
    time += random.exponential(1_000)
    const size = new Decimal(Math.min(4, random.logNormal(0.5, 0.8)).toFixed(9))
    pool = random.chance(0.5 + 0.35 * Math.tanh(mood)) ? quoteBuy(pool, size).pool : sell(pool, size)
    return { price: priceText(spotPrice(pool)), at: new Date(Math.round(time)) }
  })
}

/** Sells tokens for about `size` SOL, but for no more than a third of the pool's real SOL. */
function sell(pool: Pool, size: Decimal): Pool {
  const sol = Decimal.min(size, realSol(pool).div(3))
  const tokens = pool.tokens.mul(sol).div(pool.sol).toDecimalPlaces(6)
  return tokens.isZero() ? pool : quoteSell(pool, tokens).pool
}

/** Finds public tokens that are old enough and have enough trades, in the order of the seed. */
async function findCandidates(
  db: Db,
  { seed, before }: { readonly seed: string; readonly before: Date },
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select p.token_id as "tokenId", p.seq::int as seq
      from pools p join ${visibleTokens} t on t.id = p.token_id
     where p.seq >= ${SECTION_TRADES} and t.created_at < ${before}
     order by md5(${seed}::text || p.token_id) limit ${TOKENS_MAX}`.execute(db)
  return rows
}

/**
 * Finds the lively sections in a part (from 0 to 1) of a token's trades. A lively section is a minute to two days long,
 * and no pause in it is longer than a quarter of its length. The best buy and sale in it pay a fifth more than
 * holding. The statement uses the covering index of trades.
 */
async function findSections(
  db: Db,
  { tokenId, seq, part, before }: Candidate & { readonly part: number; readonly before: Date },
): Promise<Section[]> {
  const skipped = Math.floor((part * Math.max(0, seq - TRADES_MAX)) / SECTION_TRADES) * SECTION_TRADES
  const { rows } = await sql<{ from_seq: number }>`
    select min(seq)::int as from_seq
      from (select seq, spot_price, created_at, spot_price / min(spot_price) over section as best,
                   spot_price / first_value(spot_price) over section as held, created_at - lag(created_at) over section as pause
              from trades
             where token_id = ${tokenId} and seq > ${skipped} and seq <= ${skipped + TRADES_MAX} and created_at < ${before}
            window section as (partition by (seq - 1) / ${SECTION_TRADES}::int order by seq)) t
     group by (seq - 1) / ${SECTION_TRADES}::int
    having count(*) = ${SECTION_TRADES}
       and max(best) >= ${BEST_OVER_HOLD_MIN}::numeric * greatest(1, max(held) filter (where seq % ${SECTION_TRADES}::int = 0))
       and max(created_at) - min(created_at) between '1 minute' and '2 days'
       and max(pause) * 4 <= max(created_at) - min(created_at)
     order by from_seq`.execute(db)
  return rows.map((row) => ({ tokenId, fromSeq: row.from_seq, toSeq: row.from_seq + SECTION_TRADES - 1 }))
}

/** Reads the price and time right after each trade in a section. */
async function readSection(db: Db, { tokenId, fromSeq, toSeq }: Section): Promise<{ price: string; at: Date }[]> {
  return await db
    .selectFrom('trades')
    .select(['spot_price as price', 'created_at as at'])
    .where('token_id', '=', tokenId)
    .where('seq', '>=', fromSeq)
    .where('seq', '<=', toSeq)
    .orderBy('seq')
    .execute()
}

/** Sums the trades of each house bot in a section. */
export async function sumBotTrades(db: Db, { tokenId, fromSeq, toSeq }: Section): Promise<BotTrades[]> {
  const { rows } = await sql<BotTrades>`
    select u.id as "userId", u.username,
           coalesce(sum(t.sol_amount) filter (where t.side = 'buy'), 0) as paid,
           coalesce(sum(t.sol_amount) filter (where t.side = 'sell'), 0) as received,
           sum(case t.side when 'buy' then t.token_amount else -t.token_amount end) as tokens
      from trades t join users u on u.id = t.user_id and u.kind = 'house'
     where t.token_id = ${tokenId} and t.seq between ${fromSeq} and ${toSeq}
     group by u.id`.execute(db)
  return rows
}
