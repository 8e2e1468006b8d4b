import { hash } from 'node:crypto'
import { DIVISIONS, GROUP_MAX } from './compute-league.ts'

export interface Seat {
  readonly division: number
  readonly group: number
  readonly userId: number
}

/**
 * Puts people into groups of their division for a week. Groups are as equal as possible and hold at most twenty. The
 * same people in the same week always get the same groups.
 */
export function drawGroups(week: string, people: readonly Pick<Seat, 'userId' | 'division'>[]): Seat[] {
  return Array.from({ length: DIVISIONS }, (_, index) => index + 1).flatMap((division) => {
    const ids = people.filter((player) => player.division === division).map(({ userId }) => userId)
    const groups = Math.ceil(ids.length / GROUP_MAX)
    return shuffle(`${week} ${division}`, ids).map((userId, n) => ({ division, group: (n % groups) + 1, userId }))
  })
}

/** Shuffles ids with a text as the seed, so that the same text gives the same order. */
export function shuffle(seed: string, ids: readonly number[]): number[] {
  const keyOf = (id: number) => hash('sha256', `${seed} ${id}`, 'hex')
  return [...ids].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
