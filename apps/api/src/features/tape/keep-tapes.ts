import type { CachedKind } from '../../cache/memory.ts'
import type { App } from '../../context.ts'
import { defineError } from '../../errors.ts'
import { chooseTape } from './choose-tape.ts'
import { findTapes, insertTape, type TapeRow } from './store.ts'

const DAY_MS = 24 * 3_600_000

/** Number of days per forgiven day. A streak survives one missed day in seven. */
const FORGIVEN_EVERY = 7

class TapeBusyError extends defineError('BUSY', 'The tape is not ready yet. Please try again in a few seconds.', {
  retryAfterS: 5,
}) {}

export class TapeNotFoundError extends defineError('TAPE_NOT_FOUND', 'There is no such tape.') {}

/** Chooses the next day's game in advance, but not while the demo world is being written. */
export async function keepTapes(app: App): Promise<void> {
  if (!app.market.history.isBeingWritten) await findCurrentTapes(app)
}

export interface CurrentTapes {
  readonly today: TapeRow
  readonly tomorrow: TapeRow
}

/** All callers share a running choice, because at midnight every open page asks for the next game. */
const choices: CachedKind<void> = { name: 'tape choice', sizeKb: () => 1 }

/**
 * Finds the games of today and tomorrow. If one of these games is missing, chooses it now, once per node. Throws BUSY
 * while the demo world is being written.
 */
export async function findCurrentTapes(app: App): Promise<CurrentTapes> {
  const {
    platform: { db, clock },
    market: { history },
  } = app
  const now = clock.now()
  const days = [toDay(now), toDay(now, 1)]
  const found = await findTapes(db, days)
  if (found.length < days.length) {
    if (history.isBeingWritten) throw new TapeBusyError()
    await app.market.memory.share(choices, days.join(' '), { freshMs: 1 }, () => chooseMissing(app, days))
    found.splice(0, found.length, ...(await findTapes(db, days)))
  }
  const [today, tomorrow] = found
  if (today === undefined || tomorrow === undefined) throw new TapeBusyError()
  return { today, tomorrow }
}

async function chooseMissing({ platform: { db, clock } }: App, days: readonly string[]): Promise<void> {
  const found = await findTapes(db, days)
  for (const day of days) {
    if (!found.some((tape) => tape.day === day)) await insertTape(db, await chooseTape(db, { day, now: clock.now() }))
  }
}

const knownTapes: CachedKind<TapeRow> = { name: 'tape', sizeKb: () => 64 }

/** Finds the game of a day, which never changes. */
export async function findTape({ platform, market: { memory } }: App, day: string): Promise<TapeRow> {
  const tape = memory.find(knownTapes, day) ?? (await findTapes(platform.db, [day]))[0]
  if (tape === undefined) throw new TapeNotFoundError()
  memory.store(knownTapes, day, tape)
  return tape
}

/** Returns the UTC day that is `days` days after a time, such as `2026-01-05`. */
export function toDay(time: Date | string, days = 0): string {
  return new Date(new Date(time).getTime() + days * DAY_MS).toISOString().slice(0, 10)
}

/**
 * Counts the days in a row on which a player played, up to today, or up to yesterday if the player can still play
 * today. A streak survives one missed day in seven, but this day is not counted.
 */
export function countStreak(played: ReadonlySet<string>, today: string): number {
  let streak = played.has(today) ? 1 : 0
  let sinceForgiven = FORGIVEN_EVERY
  for (let back = 1; streak + back < 10_000; back++) {
    if (played.has(toDay(today, -back))) {
      streak++
      sinceForgiven++
    } else if (sinceForgiven >= FORGIVEN_EVERY) sinceForgiven = 1
    else break
  }
  return streak
}
