import { describe, expect, it } from 'vitest'
import { mergePlay } from '../../src/features/tape/use-tape-play.ts'
import type { TapePlay } from '../../src/lib/api/api.ts'

const play = (part: Partial<TapePlay> & { seen: number[] }): TapePlay => {
  const { seen, ...more } = part
  const points = seen.map((ms) => ({ ms, level: '1' }))
  return { id: 'a', day: '2026-03-01', elapsedMs: 0, boughtMs: null, soldMs: null, isOver: false, ...more, points }
}
const times = ({ points }: TapePlay) => points.map(({ ms }) => ms)

describe('the responses of a game', () => {
  it('add their points, each once and in order, whichever comes first', () => {
    const known = play({ seen: [0, 3, 6], elapsedMs: 7 })
    expect(times(mergePlay(known, play({ seen: [9] })))).toEqual([0, 3, 6, 9])
    expect(times(mergePlay(known, play({ seen: [0, 3, 6, 9] })))).toEqual([0, 3, 6, 9])
    expect(times(mergePlay(known, play({ seen: [3] })))).toEqual([0, 3, 6])
  })

  it('undo no move and no end if an older one comes later', () => {
    const sold = play({ seen: [0, 3], elapsedMs: 5, boughtMs: 1, soldMs: 5, isOver: true })
    expect(mergePlay(sold, play({ seen: [], elapsedMs: 4 }))).toEqual(sold)
  })

  it('are dropped for another game', () => {
    expect(times(mergePlay(play({ seen: [0, 3] }), play({ id: 'b', seen: [0] })))).toEqual([0])
  })
})
