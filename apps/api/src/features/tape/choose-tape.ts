import { hash, randomBytes } from 'node:crypto'
import { Decimal, launchPool, type Pool, priceText, quoteBuy, quoteSell, realSol, spotPrice } from '@papermoon/amm'
import { createRandom, type Random } from '@papermoon/bots'
import { TAPE_MS } from '@papermoon/contract/tape'
import type { Db, TapesTable } from '@papermoon/db'
import type { Insertable } from 'kysely'
import { computeGain, findBest } from './score.ts'
import {
  BEST_OVER_HOLD_MIN,
  findCandidates,
  findStretches,
  readStretch,
  STRETCH_TRADES,
  type Stretch,
} from './stretches.ts'

/**
 * Min number of sections to choose from. With fewer, the game's market is made up. A market of two weeks has about
 * thirty.
 */
export const STRETCHES_MIN = 14
const DAY_MS = 24 * 3_600_000
/** Time of the last point in ms, which is before the end, so that players can act on it. */
const LAST_POINT_MS = TAPE_MS - 4_000

export type NewTape = Insertable<TapesTable>

/**
 * Chooses a day's game by a new random seed. The same seed on the same journal chooses the same section. Everything in
 * the section is at least a day old.
 */
export async function chooseTape(
  db: Db,
  { day, now, seed = randomBytes(16).toString('hex') }: { day: string; now: Date; seed?: string },
): Promise<NewTape> {
  const random = createRandom(seed)
  const stretch = await drawStretch(db, { seed, random, before: new Date(now.getTime() - DAY_MS) })
  const trades = stretch === null ? makeUpLively(random.fork('market')) : await readStretch(db, stretch)
  const place = stretch === null ? 'made up' : `token ${stretch.tokenId}, trades ${stretch.fromSeq} to ${stretch.toSeq}`
  return {
    day,
    token_id: stretch?.tokenId ?? null,
    from_seq: stretch?.fromSeq ?? null,
    to_seq: stretch?.toSeq ?? null,
    factor: String(1_000_000_000 + random.fork('size').int(4_000_000_000)),
    points: JSON.stringify(toPoints(trades, random.fork('time').uniform(0.3, 0.6))),
    proof: `Papermoon tape ${day}\nseed ${seed}\n${place}`,
    made_at: now,
  }
}

/** Returns the text's SHA-256, which commits to the choice before anyone knows it. */
export function toCommit(proof: string): string {
  return hash('sha256', proof, 'hex')
}

interface Draw {
  readonly seed: string
  readonly random: Random
  readonly before: Date
}

/**
 * Draws a section. Reads tokens in the seed's order until there are enough sections, then draws one from the first
 * lively token.
 */
async function drawStretch(db: Db, { seed, random, before }: Draw): Promise<Stretch | null> {
  const found: Stretch[] = []
  for (const token of await findCandidates(db, { seed, before })) {
    found.push(...(await findStretches(db, { ...token, part: random.next(), before })))
    if (found.length < STRETCHES_MIN) continue
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
 * Converts trades to points. About half of a point's position comes from its time, so quiet hours pass faster, and
 * nobody recognizes the shape by its timing.
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

/** Makes up a market's trades, again and again until they leave something to decide. */
function makeUpLively(random: Random): TapeTrade[] {
  for (;;) {
    const trades = makeUpTrades(random)
    const points = trades.map(({ price, at }) => ({ ms: at.getTime(), price: new Decimal(price) }))
    const held = computeGain(points, { boughtMs: points[0]?.ms ?? 0, soldMs: points.at(-1)?.ms ?? 0 }).add(1)
    if (findBest(points).gain.add(1).gte(Decimal.max(1, held).mul(BEST_OVER_HOLD_MIN))) return trades
  }
}

/** Makes up a market's trades: a mood that drifts, on the real market maker. */
function makeUpTrades(random: Random): TapeTrade[] {
  let pool = quoteBuy(launchPool(), new Decimal(8)).pool
  let mood = random.normal()
  let time = 0
  return Array.from({ length: STRETCH_TRADES }, () => {
    mood = 0.85 * mood + 0.6 * random.normal()
    time += random.exponential(1_000)
    const size = new Decimal(Math.min(4, random.logNormal(0.5, 0.8)).toFixed(9))
    pool = random.chance(0.5 + 0.35 * Math.tanh(mood)) ? quoteBuy(pool, size).pool : sell(pool, size)
    return { price: priceText(spotPrice(pool)), at: new Date(Math.round(time)) }
  })
}

/** Sells tokens for about `size` SOL, at most a third of the pool's real SOL. */
function sell(pool: Pool, size: Decimal): Pool {
  const sol = Decimal.min(size, realSol(pool).div(3))
  const tokens = pool.tokens.mul(sol).div(pool.sol).toDecimalPlaces(6)
  return tokens.isZero() ? pool : quoteSell(pool, tokens).pool
}
