import { describe, expect, it } from 'vitest'
import type { JournalHeads } from '../../src/events/journal.ts'
import { SettledHeads } from '../../src/events/settled-heads.ts'

/** Heads as read while transactions from `oldestRunning` on run; `transaction` is the next one. */
function readHeads(entry: number, transaction: number, oldestRunning: number): JournalHeads {
  return { entry, tokenId: 1, transaction, oldestRunning }
}

describe('heads of the journal', () => {
  it('are settled once all that ran before them has ended, though nothing new begins', () => {
    const heads = new SettledHeads()
    heads.note(readHeads(5, 10, 8), 0)
    heads.note(readHeads(5, 10, 9), 1_000)
    expect(heads.settled).toBeNull()
    heads.note(readHeads(5, 10, 10), 2_000)
    expect(heads.settled?.entry).toBe(5)
  })

  it('are settled after 45 seconds, whatever still runs', () => {
    const heads = new SettledHeads()
    heads.note(readHeads(5, 10, 8), 0)
    heads.note(readHeads(6, 12, 8), 45_000)
    expect(heads.settled).toBeNull()
    heads.note(readHeads(6, 12, 8), 45_001)
    expect([heads.settled?.entry, heads.isBehind]).toEqual([5, true])
  })
})
