import { describe, expect, it } from 'vitest'
import { BackgroundRead, SharedRead } from '../../src/cache/shared-read.ts'

describe('a shared read', () => {
  const counting = () => {
    let count = 0
    return async () => ++count
  }

  it('runs once for all concurrent callers, even if it takes longer than its max age', async () => {
    const shared = new SharedRead<number>(30_000)
    const read = counting()
    expect(await Promise.all([0, 1, 29_999, 30_000, 90_000].map((nowMs) => shared.get(nowMs, read)))).toEqual([
      1, 1, 1, 1, 1,
    ])
  })

  it('runs again when its result is too old or the clock jumped back', async () => {
    const shared = new SharedRead<number>(30_000)
    const read = counting()
    const answers: number[] = []
    for (const nowMs of [0, 29_999, 30_000, 59_999, 60_000, 10]) answers.push(await shared.get(nowMs, read))
    expect(answers).toEqual([1, 1, 2, 2, 3, 4])
  })

  it('rejects all waiting callers when it fails, and does not cache the failure', async () => {
    const shared = new SharedRead<number>(30_000)
    const fail = async () => Promise.reject(new Error('away'))
    const waiting = [shared.get(0, fail), shared.get(0, counting())]
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await shared.get(0, counting())).toBe(1)
  })
})

const MINUTE_MS = 60_000

/** Returns a read whose results are 1, 2, 3 and so on. While `hold` is on, each read waits for `release`. */
function counting() {
  let count = 0
  let release = () => {}
  const errors: unknown[] = []
  const state = { hold: false, fails: false }
  const shared = new BackgroundRead({
    read: async () => {
      const value = ++count
      if (state.hold) await new Promise<void>((resolve) => (release = resolve))
      if (state.fails) throw new Error('out of reach')
      return value
    },
    onError: (error) => errors.push(error),
  })
  return { shared, state, errors, release: () => release(), count: () => count }
}

/** Waits until a background read has ended. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('a background read', () => {
  it('runs once for all first callers, and not again within a minute', async () => {
    const { shared, count } = counting()
    expect(await Promise.all([0, 0, 1].map((nowMs) => shared.get(nowMs)))).toEqual([1, 1, 1])
    expect(await shared.get(MINUTE_MS - 1)).toBe(1)
    expect(count()).toBe(1)
  })

  it('returns the last result while the next is read, and reads one at a time', async () => {
    const { shared, state, release, count } = counting()
    await shared.get(0)
    state.hold = true
    expect(await shared.get(MINUTE_MS)).toBe(1)
    expect(await shared.get(MINUTE_MS)).toBe(1)
    expect(count()).toBe(2)
    release()
    await settle()
    expect(await shared.get(MINUTE_MS)).toBe(2)
  })

  it('makes callers wait instead of returning a result that is ten minutes old', async () => {
    const { shared } = counting()
    await shared.get(0)
    expect(await shared.get(10 * MINUTE_MS + 1)).toBe(2)
  })

  it('keeps the last result when a read fails, and tries again', async () => {
    const { shared, state, errors } = counting()
    await shared.get(0)
    state.fails = true
    expect(await shared.get(MINUTE_MS)).toBe(1)
    await settle()
    expect(errors).toHaveLength(1)
    state.fails = false
    expect(await shared.get(MINUTE_MS)).toBe(1)
    await settle()
    expect(await shared.get(MINUTE_MS)).toBe(3)
  })

  it('fails for a caller if there is no earlier result', async () => {
    const { shared, state } = counting()
    state.fails = true
    await expect(shared.get(0)).rejects.toThrow('out of reach')
    state.fails = false
    expect(await shared.get(0)).toBe(2)
  })
})
