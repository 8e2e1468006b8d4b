// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { followVisits, forgetAway, noteVisit, readAway } from '../../src/lib/ui/visits.ts'

const MINUTE_MS = 60_000
const START = Date.parse('2026-03-01T12:00:00Z')

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: START })
})
const wait = (minutes: number) => vi.setSystemTime(Date.now() + minutes * MINUTE_MS)

describe('visits', () => {
  it('know since when a player was away, from an hour on, until the player is welcomed', () => {
    noteVisit(3)
    wait(59)
    noteVisit(3)
    expect(readAway(3)).toBeNull()
    wait(60)
    noteVisit(3)
    expect(readAway(3)).toBe(START + 59 * MINUTE_MS)
    // An absence that was not read yet keeps its start.
    wait(120)
    noteVisit(3)
    expect(readAway(3)).toBe(START + 59 * MINUTE_MS)
    forgetAway()
    noteVisit(3)
    expect(readAway(3)).toBeNull()
  })

  it('are separate for each player', () => {
    noteVisit(3)
    wait(60)
    noteVisit(4)
    expect([readAway(3), readAway(4)]).toEqual([null, null])
  })

  it('start when the page is shown again', () => {
    const stop = followVisits(3)
    wait(90)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(readAway(3)).toBe(START)
    stop()
    forgetAway()
    wait(90)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(readAway(3)).toBeNull()
  })
})
