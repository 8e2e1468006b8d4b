import { formatLength } from './relative-time.ts'

/** Formats the time between two ISO times in the largest unit that fits, such as `3 hours`. */
export function timeBetween(start: string, end: string): string {
  const seconds = Math.floor((Date.parse(end) - Date.parse(start)) / 1_000)
  return seconds < 1 ? 'less than a second' : formatLength(seconds)
}
