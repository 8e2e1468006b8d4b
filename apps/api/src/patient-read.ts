import { isDatabaseAway } from './database-away.ts'
import type { LiveReading } from './live-reading.ts'
import { TooLateError, withinTime } from './within-time.ts'

/** Who could be shown what was known last waits no longer for what is right. */
const PATIENCE_MS = 5_000

/** Readings of which a read is under way that took longer than that. */
const late = new WeakSet<LiveReading<unknown>>()

/** What `read` answers of a reading. Throws what it does, and `TooLateError` where there is something to show instead. */
export async function readPatiently<T>(reading: LiveReading<unknown>, read: () => Promise<T>): Promise<T> {
  if (reading.last() === null) return await read()
  if (late.has(reading)) throw new TooLateError('a read of the same takes too long already')
  const answer = read()
  try {
    return await withinTime(answer, PATIENCE_MS)
  } catch (error) {
    if (error instanceof TooLateError) {
      late.add(reading)
      const arrived = () => void late.delete(reading)
      answer.then(arrived, arrived)
    }
    throw error
  }
}

/** Whether a read failed because the database is away or silent. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof TooLateError || isDatabaseAway(error)
}
