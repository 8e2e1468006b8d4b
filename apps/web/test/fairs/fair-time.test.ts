import { describe, expect, it } from 'vitest'
import type { Fair, FairList, UserId } from '../../src/lib/api/api.ts'
import {
  describeTime,
  findNextChange,
  getPhase,
  hasJoined,
  type Timed,
  toClock,
} from '../../src/lib/fairs/fair-time.ts'
import { chooseFair } from '../../src/lib/fairs/use-fair-list.ts'

const at = (clock: string) => `2026-03-01T${clock}.000Z`
const ms = (clock: string) => Date.parse(at(clock))
const arena: Timed = {
  kind: 'arena',
  host: null,
  me: null,
  state: 'lobby',
  lobbyAt: at('12:50:00'),
  startsAt: at('13:00:00'),
  bellFrom: at('13:14:00'),
  endsAt: at('13:15:00'),
  bellAt: null,
}
/** A room without a start time. */
const room: Timed = {
  ...arena,
  kind: 'room',
  host: { id: 3 as UserId, username: 'MsPaper' },
  startsAt: '2026-03-02T12:50:00.000Z',
}
const host = { balance: '100', hasLeft: false, isHost: true }
const open: Timed = { ...arena, state: 'open' }

describe('the phase of a fair', () => {
  it.each([
    [arena, '12:49:59', 'soon', 'starts in', '10:01'],
    [arena, '12:50:00', 'lobby', 'starts in', '10:00'],
    [arena, '13:00:02', 'lobby', 'opening now', ''],
    [room, '13:00:00', 'lobby', 'waiting for MsPaper to start it', ''],
    [{ ...room, me: host }, '13:00:00', 'lobby', 'waiting for you to start it', ''],
    [open, '13:13:59', 'open', 'ends within', '01:01'],
    [{ ...open, bellFrom: open.endsAt }, '13:13:59', 'open', 'ends in', '01:01'],
    [open, '13:14:00', 'bell', 'any moment now', ''],
    [open, '13:15:00', 'counting', 'the bell has rung', ''],
    [{ ...open, bellAt: at('13:14:20') }, '13:14:21', 'counting', 'the bell has rung', ''],
    [{ ...open, state: 'settled' }, '13:14:30', 'over', 'over', ''],
    [{ ...open, state: 'void' }, '13:14:30', 'over', 'results don’t count', ''],
  ] as const)('%o at %s', (fair, clock, phase, words, left) => {
    expect(getPhase(fair, ms(clock))).toBe(phase)
    expect(describeTime(fair, ms(clock))).toEqual({ phase, words, clock: left })
  })

  it('never reveals the second of the bell: its clock stops before the bell can ring', () => {
    for (let nowMs = ms('13:14:00'); nowMs < ms('13:15:00'); nowMs += 1_000) {
      expect(describeTime(open, nowMs).clock).toBe('')
    }
  })
})

describe('a clock', () => {
  it.each([
    [0, '00:00'],
    [-5, '00:00'],
    [1, '00:01'],
    [252_000, '04:12'],
    [3_723_000, '1:02:03'],
    [47 * 3_600_000, '47:00:00'],
    [76 * 3_600_000, '3 d 4 h'],
  ])('%i ms: %s', (left, text) => expect(toClock(left)).toBe(text))
})

describe('the next change', () => {
  it('is the nearest future moment of any fair', () => {
    expect(findNextChange([arena], ms('12:00:00'))).toBe(ms('12:50:00'))
    expect(findNextChange([open, { ...arena, lobbyAt: at('13:05:00') }], ms('13:01:00'))).toBe(ms('13:05:00'))
    expect(findNextChange([open], ms('13:15:00'))).toBeNull()
  })
})

describe('the fair for the home page', () => {
  const fair = (more: Partial<Fair>) => ({ ...arena, me: null, lateEntry: true, ...more }) as Fair
  const mine = { balance: '100', hasLeft: false, isHost: false }
  const next = fair({ id: 9 })
  const list = (running: Fair[], upcoming: Fair[] = [next]): FairList => ({
    running,
    upcoming,
    ended: [],
    nextCursor: null,
    houseBots: true,
  })

  it.each([
    ['the next arena', list([]), 9],
    ['an arena that the player can still enter', list([fair({ id: 4, state: 'open' })]), 4],
    ['not another player’s quick arena', list([fair({ id: 4, state: 'open', isQuick: true })]), 9],
    ['the player’s own quick arena', list([fair({ id: 4, state: 'open', isQuick: true, me: mine })]), 4],
    ['not a closed arena', list([fair({ id: 4, state: 'open', lateEntry: false })]), 9],
    [
      'the player’s own room before all others',
      list([fair({ id: 4, state: 'open' }), fair({ id: 5, kind: 'room', me: mine })]),
      5,
    ],
    ['not a season in which the player is for a week', list([fair({ id: 3, kind: 'season', me: mine })]), 9],
    ['not a room that the player has left', list([fair({ id: 5, kind: 'room', me: { ...mine, hasLeft: true } })]), 9],
    ['a season if there is nothing else', list([fair({ id: 3, kind: 'season' })], []), 3],
  ])('is %s', (_, fairs, id) => expect(chooseFair(fairs)?.id).toBe(id))

  it('treats a host as a player only after they have entered', () => {
    expect(hasJoined({ me: { ...mine, balance: null, isHost: true } })).toBe(false)
    expect(hasJoined({ me: mine })).toBe(true)
  })
})
