import { launchEvent, tradeEvent } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import { CacheEntry } from '../../src/cache/cache-entry.ts'
import { EventLog } from '../../src/cache/event-log.ts'

const MAX_AGE_MS = 1_000

/** A reading of the last number of a token: trades patch it, a launch does not tell enough. */
function open() {
  const log = new EventLog()
  const reading = new CacheEntry<number>({
    log,
    applyEvents: (known, events) => ({
      data: Math.max(known, ...events.map((event) => event.seq)),
      stale: events.some((event) => event.type === 'token_launched'),
    }),
    isFresh: (atMs, nowMs) => nowMs >= atMs && nowMs < atMs + MAX_AGE_MS,
  })
  return { reading, tell: log.add }
}

/** A read of the database that ends when told, and how many began. */
function slowReads() {
  const waiting: { resolve: (value: number) => void; reject: (error: Error) => void }[] = []
  const read = () => new Promise<number>((resolve, reject) => waiting.push({ resolve, reject }))
  return { read, waiting }
}

const trade = (seq: number) => tradeEvent({ seq })
const never = async (): Promise<number> => {
  throw new Error('read again')
}

describe('a reading that events keep fresh', () => {
  it('is patched by what arrived since, not read again', async () => {
    const { reading, tell } = open()
    expect(await reading.get(0, async () => 3)).toBe(3)
    tell(trade(4))
    tell(trade(5))
    expect(await reading.get(1, never)).toBe(5)
  })

  it('knows what arrived while it was read', async () => {
    const { reading, tell } = open()
    const { read, waiting } = slowReads()
    const first = reading.get(0, read)
    tell(trade(7))
    const second = reading.get(0, read)
    waiting[0]?.resolve(6)
    expect(await Promise.all([first, second])).toEqual([7, 7])
    expect(waiting).toHaveLength(1)
  })

  it('is read once for all who wait', async () => {
    const { reading } = open()
    const { read, waiting } = slowReads()
    const all = Promise.all([reading.get(0, read), reading.get(0, read), reading.get(0, read)])
    waiting[0]?.resolve(1)
    expect(await all).toEqual([1, 1, 1])
    expect(waiting).toHaveLength(1)
  })

  it('is read again when an event does not tell enough', async () => {
    const { reading, tell } = open()
    await reading.get(0, async () => 1)
    tell(launchEvent())
    expect(await reading.get(1, async () => 9)).toBe(9)
  })

  it('is never one that began before an event that had arrived when it was asked for', async () => {
    const { reading, tell } = open()
    const { read, waiting } = slowReads()
    const early = reading.get(0, read)
    tell(launchEvent())
    const late = reading.get(0, read)
    waiting[0]?.resolve(1)
    expect(await early).toBe(1)
    await expect.poll(() => waiting.length).toBe(2)
    waiting[1]?.resolve(2)
    expect(await late).toBe(2)
  })

  it('answers who asks while events never stop, although none of them tells enough', async () => {
    const { reading, tell } = open()
    let reads = 0
    const answers = Array.from({ length: 5 }, () =>
      reading.get(0, async () => {
        tell(launchEvent())
        return ++reads
      }),
    )
    expect(await Promise.all(answers)).toHaveLength(5)
    expect(reads).toBeLessThanOrEqual(5)
  })

  it('is read again when more arrived than is kept', async () => {
    const { reading, tell } = open()
    await reading.get(0, async () => 0)
    for (let seq = 1; seq <= 512; seq++) tell(trade(seq))
    expect(await reading.get(1, never)).toBe(512)
    for (let seq = 513; seq <= 1_025; seq++) tell(trade(seq))
    expect(await reading.get(1, async () => 1_025)).toBe(1_025)
  })

  it('is read again when time has made it wrong, or jumped back', async () => {
    const { reading } = open()
    await reading.get(10_000, async () => 1)
    expect(await reading.get(10_000 + MAX_AGE_MS - 1, never)).toBe(1)
    expect(await reading.get(10_000 + MAX_AGE_MS, async () => 2)).toBe(2)
    expect(await reading.get(5_000, async () => 3)).toBe(3)
  })

  it('is read again after it was told to forget, also in mid-read', async () => {
    const { reading } = open()
    const { read, waiting } = slowReads()
    const first = reading.get(0, read)
    reading.invalidate()
    waiting[0]?.resolve(1)
    await first
    expect(await reading.get(0, async () => 2)).toBe(2)
    expect(await reading.get(0, never)).toBe(2)
  })

  it('tells all who waited of a failure, and reads again for the next', async () => {
    const { reading } = open()
    const { read, waiting } = slowReads()
    const asked = Promise.allSettled([reading.get(0, read), reading.get(0, read), reading.get(0, read)])
    waiting[0]?.reject(new Error('away'))
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(waiting).toHaveLength(1)
    expect(await reading.get(0, async () => 2)).toBe(2)
  })

  it('tells no one of the failure of a reading that began before an event they knew of', async () => {
    const { reading, tell } = open()
    const { read, waiting } = slowReads()
    const early = reading.get(0, read)
    tell(launchEvent())
    const late = reading.get(0, async () => 2)
    waiting[0]?.reject(new Error('away'))
    await expect(early).rejects.toThrow('away')
    expect(await late).toBe(2)
  })

  it('knows nothing after it was closed, also in mid-read', async () => {
    const { reading } = open()
    const { read, waiting } = slowReads()
    const asked = reading.get(0, read)
    reading.close()
    waiting[0]?.resolve(1)
    expect(await asked).toBe(1)
    expect(reading.peek(0)).toBeNull()
  })

  it('is peeked at only while it is right without being read', async () => {
    const { reading, tell } = open()
    expect(reading.peek(0)).toBeNull()
    await reading.get(0, async () => 1)
    tell(trade(2))
    expect(reading.peek(0)).toBe(2)
    expect(reading.peek(MAX_AGE_MS)).toBeNull()
    tell(launchEvent())
    expect(reading.peek(0)).toBeNull()
    await reading.get(0, async () => 3)
    expect(reading.peek(0)).toBe(3)
    reading.close()
    expect(reading.peek(0)).toBeNull()
  })
})
