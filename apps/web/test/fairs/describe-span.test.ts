import { expect, it } from 'vitest'
import type { UserId } from '../../src/lib/api/api.ts'
import { describeLength, describeQualifying, describeSpan } from '../../src/lib/fairs/describe-span.ts'
import type { Timed } from '../../src/lib/fairs/fair-time.ts'

const startsAt = '2026-03-01T13:00:00.000Z'
const arena: Timed = {
  kind: 'arena',
  host: null,
  me: null,
  state: 'lobby',
  lobbyAt: '2026-03-01T12:50:00.000Z',
  startsAt,
  bellFrom: '2026-03-01T13:14:00.000Z',
  endsAt: '2026-03-01T13:15:00.000Z',
  bellAt: null,
}
const nowMs = Date.parse(startsAt)
const timeOf = (time: string, day = {}) =>
  new Date(time).toLocaleString([], { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

it.each([
  [5, '5 minutes'],
  [60, '1 hour'],
  [90, '90 minutes'],
  [1_440, '1 day'],
  [1_443, '24 hours'],
  [10_080, '7 days'],
])('a fair of %i minutes lasts %s', (minutes, text) => {
  const endsAt = new Date(nowMs + minutes * 60_000).toISOString()
  expect(describeLength({ startsAt, endsAt })).toBe(text)
})

it.each([
  [5, '3:20 minutes'],
  [15, '10 minutes'],
  [120, '1:20 hours'],
])('in a fair of %i minutes, players must trade in the first %s', (minutes, text) => {
  const endsAt = new Date(nowMs + minutes * 60_000).toISOString()
  expect(describeQualifying({ startsAt, endsAt })).toBe(text)
})

it('a fair shows when it ends, with the day unless it is today', () => {
  expect(describeSpan(arena, nowMs)).toBe(`15 minutes, until ${timeOf(arena.endsAt)}`)
  const endsAt = '2026-03-08T13:00:00.000Z'
  expect(describeSpan({ ...arena, kind: 'season', endsAt }, nowMs)).toBe(
    `7 days, until ${timeOf(endsAt, { day: 'numeric', month: 'short' })}`,
  )
})

it('a room that waits for its host shows only how long it will last', () => {
  const host = { id: 3 as UserId, username: 'luna' }
  const waits = { startsAt: '2026-03-02T12:50:00.000Z', endsAt: '2026-03-02T13:20:00.000Z' }
  expect(describeSpan({ ...arena, ...waits, kind: 'room', host }, nowMs)).toBe('30 minutes')
})
