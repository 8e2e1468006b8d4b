import { expect, it } from 'vitest'
import { relativeTime, timeBetween } from '../../src/lib/format/relative-time.ts'

const THEN = '2026-01-01T00:00:00.000Z'
const after = (seconds: number) => relativeTime(THEN, Date.parse(THEN) + seconds * 1_000)

it.each([
  [-5, 'just now'],
  [0.9, 'just now'],
  [1, '1 second ago'],
  [59.9, '59 seconds ago'],
  [60, '1 minute ago'],
  [3_599, '59 minutes ago'],
  [3_600, '1 hour ago'],
  [86_400 * 2, '2 days ago'],
  [86_400 * 60, '2 months ago'],
  [86_400 * 800, '2 years ago'],
])('calls a time %d seconds ago "%s"', (seconds, phrase) => {
  expect(after(seconds)).toBe(phrase)
})

it('formats the time between two times', () => {
  expect(timeBetween(THEN, '2026-01-01T00:00:00.999Z')).toBe('less than a second')
  expect(timeBetween(THEN, '2026-01-01T00:00:01.000Z')).toBe('1 second')
  expect(timeBetween(THEN, '2026-01-03T23:00:00.000Z')).toBe('2 days')
})
