import { describe, expect, it } from 'vitest'
import { interleave } from '../src/load/interleave.ts'
import { parseStat } from '../src/servers/cpu-time.ts'

describe('interleaved sides', () => {
  it('take turns, without counting the first round', async () => {
    const turns: string[] = []
    const side = (name: string) => async (round: number) => {
      turns.push(`${name}${round}`)
      return { round }
    }
    const rounds = await interleave(2, { a: side('a'), b: side('b'), c: side('c') })
    expect(turns).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
    expect(rounds.map(({ a, b, c }) => [a.round, b.round, c.round])).toEqual([
      [1, 1, 1],
      [2, 2, 2],
    ])
  })
})

describe('the CPU time of a process', () => {
  it('is parsed for any process name', () => {
    const times = Array.from({ length: 40 }, (_, i) => i + 3)
    expect(parseStat(`4711 (a (b) c) S 17 ${times.slice(2).join(' ')}`)).toEqual({
      parent: 17,
      ownMs: (times[11] ?? 0) * 10 + (times[12] ?? 0) * 10,
      endedMs: (times[13] ?? 0) * 10 + (times[14] ?? 0) * 10,
    })
  })
})
