import { Decimal, percentText } from '@papermoon/amm'
import type { TapeResult, TapeToday } from '@papermoon/contract/tape'
import type { TokenId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { visibleTokens } from '../../database/conditions.ts'
import { defineError } from '../../errors.ts'
import { type Section, sumBotTrades, toCommit } from './choose-tape.ts'
import { countStreak, findCurrentTapes, findTape, toDay } from './keep-tapes.ts'
import { findOwner, isPlayOver, type Player, toLevels, toPlay, toPoints } from './play.ts'
import { computeGain, findBest, toPercent } from './score.ts'
import { countOthers, findPlayOf, listPlays, type PlayRow, type TapeRow } from './store.ts'

const CALENDAR_DAYS = 84
const BOTS_MAX = 3

class TapeNotPlayedError extends defineError(
  'TAPE_NOT_PLAYED',
  'Play this tape first. You see the result after you have played.',
) {}

/** Returns today's game without its market, and the caller's own moves. */
export async function getTape(ctx: Player): Promise<TapeToday> {
  const { app } = ctx
  const { today, tomorrow } = await findCurrentTapes(app)
  const now = app.platform.clock.now()
  const owner = findOwner(ctx)
  const play = owner === null ? undefined : await findPlayOf(app.platform.db, owner, today.day)
  const plays = owner === null ? [] : await listPlays(app.platform.db, owner, now)
  const firstDay = toDay(today.day, 1 - CALENDAR_DAYS)
  return {
    day: today.day,
    endsAt: `${tomorrow.day}T00:00:00.000Z`,
    isGenerated: today.token_id === null,
    commit: toCommit(today.proof),
    committedAt: today.made_at.toISOString(),
    tomorrow: { day: tomorrow.day, commit: toCommit(tomorrow.proof) },
    play: play === undefined ? null : toPlay(play, today, { now }),
    streak: countStreak(new Set(plays.map(({ day }) => day)), today.day),
    calendar: plays
      .filter(({ day }) => day >= firstDay)
      .map(({ day, strip, gain }) => ({ day, strip, percent: toPercent(new Decimal(gain)) })),
  }
}

/**
 * Returns the market of a game, and the results of all players. Throws `TapeNotFoundError`, and `TapeNotPlayedError`
 * while the caller can still play it.
 */
export async function getTapeResult(ctx: Player, day: string): Promise<TapeResult> {
  const { app } = ctx
  const now = app.platform.clock.now()
  const tape = await findTape(app, day)
  const owner = findOwner(ctx)
  const mine = owner === null ? undefined : await findPlayOf(app.platform.db, owner, day)
  const isTold = mine === undefined ? day < toDay(now) : isPlayOver(mine, now)
  if (!isTold) throw new TapeNotPlayedError()
  const points = toPoints(tape)
  const { gain, ...best } = findBest(points)
  const described = await describeToken(app, tape)
  const others = await countOthers(app.platform.db, day, { mine, now })
  return {
    day,
    isGenerated: tape.token_id === null,
    commit: toCommit(tape.proof),
    // Leave out the text of the post, because it names the token.
    text: tape.token_id !== null && described.token === null ? null : tape.proof,
    points: toLevels(tape),
    mine: mine === undefined ? null : toOwn(mine),
    hold: toPercent(computeGain(points, { boughtMs: 0, soldMs: null })),
    best: { ...best, percent: toPercent(gain) },
    players: { ...others, median: others.median === null ? null : toPercent(new Decimal(others.median)) },
    ...described,
  }
}

function toOwn({ bought_ms: boughtMs, sold_ms: soldMs, strip, gain }: PlayRow): TapeResult['mine'] {
  return { boughtMs, soldMs, strip, percent: toPercent(new Decimal(gain)) }
}

type TokenPart = Pick<TapeResult, 'token' | 'fromSeq' | 'toSeq' | 'from' | 'to' | 'bots'>

/**
 * Describes the token behind a game and the results of house bots. Returns nothing for a made-up market or a hidden
 * token.
 */
async function describeToken({ platform: { db } }: App, tape: TapeRow): Promise<TokenPart> {
  const { token_id: tokenId, from_seq: fromSeq, to_seq: toSeq } = tape
  const { rows } = await sql<NonNullable<TapeResult['token']> & { from: Date; to: Date }>`
    select t.id, t.name, t.symbol, t.emoji, first.created_at as "from", last.created_at as "to"
      from ${visibleTokens} t
      join trades first on first.token_id = t.id and first.seq = ${fromSeq}
      join trades last on last.token_id = t.id and last.seq = ${toSeq}
     where t.id = ${tokenId}`.execute(db)
  const [found] = rows
  if (found === undefined || fromSeq === null || toSeq === null) {
    return { token: null, fromSeq: null, toSeq: null, from: null, to: null, bots: [] }
  }
  const { from, to, ...token } = found
  const bots = await rateBots(db, tape, { tokenId: token.id as TokenId, fromSeq, toSeq })
  return { token, fromSeq, toSeq, from: from.toISOString(), to: to.toISOString(), bots }
}

/**
 * Computes the gain of each bot in a section, as a percentage of what it invested. The investment is the SOL that the
 * bot paid, plus the value of its earlier tokens at the first price. Tokens that the bot still holds count at the last
 * price.
 */
async function rateBots(db: App['platform']['db'], tape: TapeRow, section: Section): Promise<TapeResult['bots']> {
  const points = toPoints(tape)
  const first = points[0]?.price ?? new Decimal(0)
  const last = points.at(-1)?.price ?? first
  const rated = (await sumBotTrades(db, section)).map(({ userId, username, ...sums }) => {
    const tokens = new Decimal(sums.tokens)
    const isLeft = tokens.gt(0)
    const putIn = new Decimal(sums.paid).sub(isLeft ? 0 : tokens.mul(first))
    const tookOut = new Decimal(sums.received).add(isLeft ? tokens.mul(last) : 0)
    return {
      userId: userId as TapeResult['bots'][number]['userId'],
      username,
      percent: percentText(tookOut.sub(putIn), putIn),
    }
  })
  return rated.sort((a, b) => new Decimal(b.percent).cmp(a.percent)).slice(0, BOTS_MAX)
}
