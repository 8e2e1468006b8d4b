const DAY_MS = 24 * 3_600_000
/** Number of days from one forgiven day to the next. */
const FORGIVEN_EVERY = 7

/** Returns the UTC day of a time, `days` later: `2026-01-05`. */
export function toDay(time: Date | string, days = 0): string {
  return new Date(new Date(time).getTime() + days * DAY_MS).toISOString().slice(0, 10)
}

/**
 * Counts the days played in a row up to today, or up to yesterday while today may still be played. One missed day in
 * seven is forgiven, but does not count.
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
