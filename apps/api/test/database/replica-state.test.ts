import { describe, expect, it } from 'vitest'
import { describeReplica, isReplicaOf, PositionSamples } from '../../src/database/replica-state.ts'

const server = { isReplica: false, position: 0, systemId: '7' }

describe('PositionSamples', () => {
  const samples = new PositionSamples(3_000)
  for (const [atMs, position, visibility] of [
    [1_000, 100, 0],
    [2_000, 100, 0],
    [3_000, 250, 1],
    [4_000, 400, 1],
  ] as const)
    samples.add({ atMs, position, visibility })

  it('finds no lag where all of the last sample is replayed, however long nothing was written', () => {
    expect(samples.getLagMs(400, 9_000)).toBe(0)
  })

  it('measures the lag from the newest sample that is replayed', () => {
    expect(samples.getLagMs(399, 4_100)).toBe(1_100)
    expect(samples.getLagMs(100, 4_100)).toBe(2_100)
    expect(samples.getLagMs(99, 4_100)).toBe(Number.POSITIVE_INFINITY)
  })

  it('finds the newest sample that a server contains', () => {
    expect(samples.findContained(300, { sinceMs: 2_500, visibility: 1 })).toBe(3_000)
    expect(samples.findContained(1_000, { sinceMs: 4_000, visibility: 1 })).toBe(4_000)
  })

  it('finds none that is too old, or before what is shown of tokens and players changed', () => {
    expect(samples.findContained(300, { sinceMs: 3_001, visibility: 1 })).toBeNull()
    expect(samples.findContained(200, { sinceMs: 0, visibility: 1 })).toBeNull()
    expect(samples.findContained(50, { sinceMs: 0, visibility: 0 })).toBeNull()
  })

  it('drops samples beyond the time that it keeps', () => {
    const few = new PositionSamples(1_000)
    for (const atMs of [0, 500, 1_501]) few.add({ atMs, position: atMs, visibility: 0 })
    expect(few.getLagMs(500, 1_501)).toBe(Number.POSITIVE_INFINITY)
    expect(few.getLagMs(1_501, 1_501)).toBe(0)
  })

  it('begins again with a primary that has received less', () => {
    const moved = new PositionSamples(3_000)
    moved.add({ atMs: 0, position: 900, visibility: 0 })
    moved.add({ atMs: 500, position: 800, visibility: 0 })
    expect(moved.getLagMs(799, 600)).toBe(Number.POSITIVE_INFINITY)
    expect(moved.findContained(850, { sinceMs: 0, visibility: 0 })).toBe(500)
  })
})

describe('isReplicaOf', () => {
  it.each([
    ['a replica of the same data', { ...server, isReplica: true }, true],
    ['the primary itself', server, false],
    ['a replica of other data', { ...server, isReplica: true, systemId: '8' }, false],
  ])('%s: %#', (_what, other, is) => {
    expect(isReplicaOf(server, other)).toBe(is)
  })
})

describe('describeReplica', () => {
  it.each([
    [{ kind: 'usable', lagMs: 40 }, 'is 0.0 s behind: history, leaderboards, exports and old charts are read there.'],
    [{ kind: 'behind', lagMs: 7_300 }, 'is 7.3 s behind, and READ_MAX_LAG_SECONDS allows 5 s'],
    [{ kind: 'behind', lagMs: Number.POSITIVE_INFINITY }, 'is more than 5 s behind, and'],
    [{ kind: 'away' }, 'cannot be reached: its reads go to the primary until it is back.'],
    [{ kind: 'foreign' }, 'READ_DATABASE_URL leads to no replica of the database of DATABASE_URL'],
  ] as const)('says %o in one sentence', (state, text) => {
    const sentence = describeReplica(state, 5)
    expect(sentence).toContain(text)
    expect(sentence.split('. ')).toHaveLength(1)
  })
})
