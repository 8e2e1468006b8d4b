/** A clock that returns the current time, or a time that a test sets. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
