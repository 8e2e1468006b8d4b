import { describe, expect, it } from 'vitest'
import {
  computePause,
  nameEvent,
  type Player,
  type PlayerAction,
  reducePlayer,
  startPlayer,
} from '../../src/features/tokens/past/player.ts'
import { parseMoment } from '../../src/lib/format/id-in-address.ts'
import { formatMoment } from '../../src/lib/format/moment-text.ts'

const open: Player = { seq: 5, lastSeq: 9, isPlaying: false, speed: 1 }
const playing: Player = { ...open, isPlaying: true }
const run = (player: Player, ...actions: PlayerAction[]) => actions.reduce(reducePlayer, player)

describe('the moment in a URL', () => {
  it.each([
    ['12', 12],
    [12, 12],
    ['0', 0],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('%o is number %i', (at, seq) => expect(parseMoment({ at })).toEqual({ at: seq }))

  it.each([undefined, '', '-1', '1.5', '01', '1e3', 'now', '9007199254740992', null, [1, 2]])('is null for %o', (at) =>
    expect(parseMoment({ at })).toEqual({ at: undefined }),
  )
})

describe('the player of a token’s past', () => {
  it('steps and seeks within the token’s life', () => {
    expect(run(open, { type: 'step', by: -1 }).seq).toBe(4)
    expect(run(open, { type: 'step', by: 99 }).seq).toBe(9)
    expect(run(open, { type: 'seek', seq: -3 }).seq).toBe(0)
    expect(run(open, { type: 'end' }).seq).toBe(9)
    expect(run(startPlayer(5), { type: 'seek', seq: 7 }).seq).toBe(7)
  })

  it('pauses when it is moved by hand', () => {
    for (const action of [
      { type: 'seek', seq: 5 },
      { type: 'step', by: 1 },
      { type: 'end' },
      { type: 'pause' },
    ] satisfies PlayerAction[]) {
      expect(run(playing, action).isPlaying).toBe(false)
    }
  })

  it('plays on from its moment, or from the launch if it is at the end', () => {
    expect(run(open, { type: 'play' })).toEqual({ ...open, isPlaying: true })
    expect(run(open, { type: 'end' }, { type: 'play' })).toEqual({ ...open, seq: 0, isPlaying: true })
    expect(run({ ...open, seq: 0, lastSeq: 0 }, { type: 'play' }).isPlaying).toBe(false)
  })

  it('stops at the last event, and ignores frames after a pause', () => {
    expect(run(playing, { type: 'played', seq: 8 })).toEqual({ ...playing, seq: 8 })
    expect(run(playing, { type: 'played', seq: 9 })).toEqual({ ...open, seq: 9 })
    expect(run(playing, { type: 'pause' }, { type: 'played', seq: 8 })).toEqual(open)
  })

  it('plays the ten events before the rug pull, or the whole life if that is shorter', () => {
    expect(run({ ...open, lastSeq: 42 }, { type: 'playRug' })).toMatchObject({ seq: 32, isPlaying: true })
    expect(run(open, { type: 'playRug' })).toMatchObject({ seq: 0, isPlaying: true })
  })

  it('adds later events, and never forgets them', () => {
    expect(run(open, { type: 'known', lastSeq: 12 }).lastSeq).toBe(12)
    expect(run(open, { type: 'known', lastSeq: 3 })).toBe(open)
  })
})

describe('the pause between two events', () => {
  const pause = (speed: Player['speed'], gapMs: number, isSlow = false) => computePause({ speed, gapMs, isSlow })

  it('is as long as it was, divided by the speed', () => {
    expect(pause(1, 1_200)).toBe(1_200)
    expect(pause(10, 1_200)).toBe(120)
  })

  it('shortens long pauses, and limits the events per second', () => {
    expect(pause(1, 3_600_000)).toBe(1_500)
    expect(pause(10, 3_600_000)).toBe(150)
    expect(pause(100, 3_600_000)).toBe(15)
    expect(pause(100, 0)).toBe(10)
  })

  it('is long before a rug pull, at every speed', () => {
    expect([pause(1, 1, true), pause(100, 1, true)]).toEqual([800, 800])
  })
})

describe('the words of a moment', () => {
  it('include a day and a minute, and the year only if it is another one', () => {
    const now = new Date(2026, 10, 22)
    const thisYear = formatMoment(new Date(2026, 10, 14, 10, 32).toISOString(), now)
    expect(thisYear).toMatch(/\b14\b.*\b10:32\b/)
    expect(thisYear).not.toContain('2026')
    expect(formatMoment(new Date(2025, 10, 14, 9, 5).toISOString(), now)).toMatch(/\b2025\b.*\b09:05\b/)
  })

  it('name the event', () => {
    expect([nameEvent(0, false), nameEvent(1_234, false), nameEvent(7, true)]).toEqual([
      'the launch',
      'trade #1,234',
      'the rug pull',
    ])
  })
})
