import { randomUUID } from 'node:crypto'
import { Decimal } from '@papermoon/amm'
import { TAPE_MS, type TapePlay } from '@papermoon/contract/tape'
import type { UserId } from '@papermoon/engine'
import { tracked } from '@trpc/server'
import type { CachedKind } from '../../cache/memory.ts'
import type { App, Context } from '../../context.ts'
import { defineError, NeedsHttpError } from '../../errors.ts'
import { sleep } from '../../lib/durations.ts'
import { hashSecret, newSecret } from '../account/public.ts'
import { findCurrentTapes, findTape, TapeNotFoundError, toDay } from './keep-tapes.ts'
import { computeGain, drawStrip, type Moves, type TapePoint } from './score.ts'
import {
  claimGuestPlay,
  findPlay,
  findPlayOf,
  insertPlay,
  type Owner,
  type PlayRow,
  type TapeRow,
  updatePlay,
} from './store.ts'

/** Time between two reads of a game that someone follows, in ms. */
const CHECK_EVERY_MS = 250
/**
 * Min time in ms that must be left on a day when a game starts. A game must end on its day, and players need two more
 * minutes to see the result, because the market is revealed at midnight.
 */
const LAST_START_MS = TAPE_MS + 120_000

class TapeEndsError extends defineError(
  'TAPE_ENDS',
  'It is too late to play today’s tape. The next tape starts at 00:00 UTC.',
) {}

export type Player = Context & { readonly userId: UserId | null }

/** Returns the owner of a game: the account or this browser; null for a browser that has not played. */
export function findOwner({ userId, cookies: { browser } }: Pick<Player, 'userId' | 'cookies'>): Owner | null {
  if (userId !== null) return { userId }
  return browser.token === null ? null : { browserHash: hashSecret(browser.token) }
}

/**
 * Starts today's game, or returns the game that was already started. Each account or browser may play once a day. An
 * account takes over its browser's game. Throws `TapeEndsError` if it is too late on that day.
 */
export async function playTape(ctx: Player): Promise<TapePlay> {
  const { app, userId, cookies } = ctx
  const browserToken = cookies.browser.token
  const { db, clock } = app.platform
  const { today } = await findCurrentTapes(app)
  const owner = findOwner(ctx) ?? meetGuest(ctx)
  let row = await findPlayOf(db, owner, today.day)
  if (row === undefined && userId !== null && browserToken !== null) {
    await claimGuestPlay(db, { userId, browserHash: hashSecret(browserToken), day: today.day })
    row = await findPlayOf(db, owner, today.day)
  }
  if (row === undefined) {
    const now = clock.now()
    if (toDay(new Date(now.getTime() + LAST_START_MS)) !== today.day) throw new TapeEndsError()
    // Limit calls per IP address, because a guest could pretend to use a new browser for each game.
    if (userId === null) await app.accounts.limits.spend(ctx, 'sign-in')
    const strip = drawStrip([], { boughtMs: null, soldMs: null })
    await insertPlay(db, { id: randomUUID(), day: today.day, owner, now, strip })
    row = await findPlayOf(db, owner, today.day)
  }
  if (row === undefined) throw new TapeNotFoundError()
  return toPlay(row, today, { now: clock.now() })
}

/** Gives a guest's browser the cookie that identifies it until the guest registers. */
function meetGuest({ cookies: { browser } }: Context): Owner {
  if (browser.writer === null) throw new NeedsHttpError()
  const token = newSecret()
  browser.writer.set(token)
  return { browserHash: hashSecret(token) }
}

/**
 * Buys at the current price, at the time of the server's clock. A second buy, or a buy after the end, changes nothing.
 */
export async function buyOnTape(app: App, id: string): Promise<TapePlay> {
  return await move(app, id, (row, ms) => (row.bought_ms === null ? { boughtMs: ms, soldMs: null } : null))
}

/** Sells at the current price, which ends the game. */
export async function sellOnTape(app: App, id: string): Promise<TapePlay> {
  return await move(app, id, ({ bought_ms, sold_ms }, ms) =>
    bought_ms === null || sold_ms !== null ? null : { boughtMs: bought_ms, soldMs: ms },
  )
}

/** Records the moves that `decide` returns now, with the gain and the row of squares that result. */
async function move(app: App, id: string, decide: (row: PlayRow, ms: number) => Moves | null): Promise<TapePlay> {
  const now = app.platform.clock.now()
  const [row, tape] = await findPlayed(app, id)
  const ms = getElapsedMs(row, now)
  const moves = ms >= TAPE_MS ? null : decide(row, ms)
  if (moves === null) return toPlay(row, tape, { now })
  const points = toPoints(tape)
  await updatePlay(app.platform.db, {
    id,
    column: moves.soldMs === null ? 'bought_ms' : 'sold_ms',
    ms,
    gain: computeGain(points, moves),
    strip: drawStrip(points, moves),
  })
  return toPlay((await findPlay(app.platform.db, id)) ?? row, tape, { now })
}

async function findPlayed(app: App, id: string): Promise<[PlayRow, TapeRow]> {
  const row = await findPlay(app.platform.db, id)
  if (row === undefined) throw new TapeNotFoundError()
  return [row, await findTape(app, row.day)]
}

const playReads: CachedKind<[PlayRow, TapeRow]> = { name: 'tape play', sizeKb: () => 2 }

/** Reads a game at most four times a second, even if many people follow that game. */
function findPlayedLately(app: App, id: string): Promise<[PlayRow, TapeRow]> {
  return app.market.memory.share(playReads, id, { freshMs: CHECK_EVERY_MS }, () => findPlayed(app, id))
}

/** Follows a game, and yields each point at its time. The stream ends when the game ends. */
export async function* followPlay(app: App, { id, seen }: { id: string; seen: number }, signal?: AbortSignal) {
  let after = seen
  let levels: TapePlay['points'] | undefined
  while (!signal?.aborted) {
    const [row, tape] = await findPlayedLately(app, id)
    levels ??= toLevels(tape)
    const play = toPlay(row, tape, { now: app.platform.clock.now(), after, levels })
    after += play.points.length
    if (play.points.length > 0 || play.isOver) yield tracked(String(after), play)
    if (play.isOver) return
    await sleep(app.platform.timers, CHECK_EVERY_MS, signal)
  }
}

function getElapsedMs(row: PlayRow, now: Date): number {
  return Math.min(TAPE_MS, Math.max(0, now.getTime() - row.started_at.getTime()))
}

export function isPlayOver(row: PlayRow, now: Date): boolean {
  return row.sold_ms !== null || getElapsedMs(row, now) >= TAPE_MS
}

/** Returns the points of a game with exact prices. */
export function toPoints({ points }: Pick<TapeRow, 'points'>): TapePoint[] {
  return points.map(([ms, price]) => ({ ms, price: new Decimal(price) }))
}

/** Returns the points of a game as displayed. */
export function toLevels({ points, factor }: TapeRow): TapePlay['points'] {
  const toLevel = (price: string) => new Decimal(price).mul(factor).toSignificantDigits(8).toFixed()
  return points.map(([ms, price]) => ({ ms, level: toLevel(price) }))
}

/** Returns a game in the form for its player, without future points. */
export function toPlay(
  row: PlayRow,
  tape: TapeRow,
  { now, after = 0, levels = toLevels(tape) }: { now: Date; after?: number; levels?: TapePlay['points'] },
): TapePlay {
  const { id, day, bought_ms: boughtMs, sold_ms: soldMs } = row
  const elapsedMs = soldMs ?? getElapsedMs(row, now)
  const points = levels.filter(({ ms }) => ms <= elapsedMs).slice(after)
  return { id, day, elapsedMs, boughtMs, soldMs, isOver: isPlayOver(row, now), points }
}
