import { launchEvent, tradeEvent } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import { CacheEntry, EventLog } from '../../src/cache/cache-entry.ts'

const MAX_AGE_MS = 1_000

/** Returns a cache entry with a token's last sequence number. Trades patch the entry, and a launch makes it stale. */
function open() {
  const log = new EventLog()
  const entry = new CacheEntry<number>({
    log,
    applyEvents: (known, events) => ({
      data: Math.max(known, ...events.map((event) => event.seq)),
      stale: events.some((event) => event.type === 'token_launched'),
    }),
    isFresh: (atMs, nowMs) => nowMs >= atMs && nowMs < atMs + MAX_AGE_MS,
  })
  return { entry, publish: log.add }
}

/** Returns a read that the test resolves or rejects; `waiting` has one item per read. */
function slowReads() {
  const waiting: { resolve: (value: number) => void; reject: (error: Error) => void }[] = []
  const read = () => new Promise<number>((resolve, reject) => waiting.push({ resolve, reject }))
  return { read, waiting }
}

const trade = (seq: number) => tradeEvent({ seq })
const never = async (): Promise<number> => {
  throw new Error('read again')
}

describe('a cache entry', () => {
  it('is patched with later events instead of read again', async () => {
    const { entry, publish } = open()
    expect(await entry.get(0, async () => 3)).toBe(3)
    publish(trade(4))
    publish(trade(5))
    expect(await entry.get(1, never)).toBe(5)
  })

  it('includes events that arrived during its read', async () => {
    const { entry, publish } = open()
    const { read, waiting } = slowReads()
    const first = entry.get(0, read)
    publish(trade(7))
    const second = entry.get(0, read)
    waiting[0]?.resolve(6)
    expect(await Promise.all([first, second])).toEqual([7, 7])
    expect(waiting).toHaveLength(1)
  })

  it('is read once for all waiting callers', async () => {
    const { entry } = open()
    const { read, waiting } = slowReads()
    const all = Promise.all([entry.get(0, read), entry.get(0, read), entry.get(0, read)])
    waiting[0]?.resolve(1)
    expect(await all).toEqual([1, 1, 1])
    expect(waiting).toHaveLength(1)
  })

  it('is read again after an event that cannot patch it', async () => {
    const { entry, publish } = open()
    await entry.get(0, async () => 1)
    publish(launchEvent())
    expect(await entry.get(1, async () => 9)).toBe(9)
  })

  it('never returns a read that began before an event that the caller may know of', async () => {
    const { entry, publish } = open()
    const { read, waiting } = slowReads()
    const early = entry.get(0, read)
    publish(launchEvent())
    const late = entry.get(0, read)
    waiting[0]?.resolve(1)
    expect(await early).toBe(1)
    await expect.poll(() => waiting.length).toBe(2)
    waiting[1]?.resolve(2)
    expect(await late).toBe(2)
  })

  it('responds to every caller even if events that cannot patch it never stop', async () => {
    const { entry, publish } = open()
    let reads = 0
    const answers = Array.from({ length: 5 }, () =>
      entry.get(0, async () => {
        publish(launchEvent())
        return ++reads
      }),
    )
    expect(await Promise.all(answers)).toHaveLength(5)
    expect(reads).toBeLessThanOrEqual(5)
  })

  it('is read again after more events than the log keeps', async () => {
    const { entry, publish } = open()
    await entry.get(0, async () => 0)
    for (let seq = 1; seq <= 512; seq++) publish(trade(seq))
    expect(await entry.get(1, never)).toBe(512)
    for (let seq = 513; seq <= 1_025; seq++) publish(trade(seq))
    expect(await entry.get(1, async () => 1_025)).toBe(1_025)
  })

  it('is read again when it is too old or the clock jumped back', async () => {
    const { entry } = open()
    await entry.get(10_000, async () => 1)
    expect(await entry.get(10_000 + MAX_AGE_MS - 1, never)).toBe(1)
    expect(await entry.get(10_000 + MAX_AGE_MS, async () => 2)).toBe(2)
    expect(await entry.get(5_000, async () => 3)).toBe(3)
  })

  it('is read again after an invalidation, even one during a read', async () => {
    const { entry, publish } = open()
    const { read, waiting } = slowReads()
    const first = entry.get(0, read)
    entry.invalidate()
    waiting[0]?.resolve(1)
    await first
    // The invalidation came during the read, so later events may build on a change that the read value lacks.
    publish(trade(5))
    expect(entry.getLast()).toMatchObject({ value: 1 })
    expect(await entry.get(0, async () => 6)).toBe(6)
    expect(await entry.get(0, never)).toBe(6)
  })

  it('is not replaced by an abandoned read that ends later', async () => {
    const { entry } = open()
    const { read, waiting } = slowReads()
    const early = entry.get(0, read)
    expect(entry.abandonPending()).toBe(true)
    const late = entry.get(0, read)
    waiting[1]?.resolve(2)
    expect(await late).toBe(2)
    waiting[0]?.resolve(1)
    expect([await early, await entry.get(0, never)]).toEqual([2, 2])
  })

  it('rejects all waiting callers when a read fails, and reads again for the next', async () => {
    const { entry } = open()
    const { read, waiting } = slowReads()
    const asked = Promise.allSettled([entry.get(0, read), entry.get(0, read), entry.get(0, read)])
    waiting[0]?.reject(new Error('away'))
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(waiting).toHaveLength(1)
    expect(await entry.get(0, async () => 2)).toBe(2)
  })

  it('hides the failure of a read that began before an event from callers after that event', async () => {
    const { entry, publish } = open()
    const { read, waiting } = slowReads()
    const early = entry.get(0, read)
    publish(launchEvent())
    const late = entry.get(0, async () => 2)
    waiting[0]?.reject(new Error('away'))
    await expect(early).rejects.toThrow('away')
    expect(await late).toBe(2)
  })

  it('stores nothing once closed, even if a read is pending', async () => {
    const { entry } = open()
    const { read, waiting } = slowReads()
    const asked = entry.get(0, read)
    entry.close()
    waiting[0]?.resolve(1)
    expect(await asked).toBe(1)
    expect(entry.peek(0)).toBeNull()
  })

  it('can be peeked at only while it is fresh', async () => {
    const { entry, publish } = open()
    expect(entry.peek(0)).toBeNull()
    await entry.get(0, async () => 1)
    publish(trade(2))
    expect(entry.peek(0)).toBe(2)
    expect(entry.peek(MAX_AGE_MS)).toBeNull()
    publish(launchEvent())
    expect(entry.peek(0)).toBeNull()
    await entry.get(0, async () => 3)
    expect(entry.peek(0)).toBe(3)
    entry.close()
    expect(entry.peek(0)).toBeNull()
  })
})
