import { describe, expect, it } from 'vitest'
import { SharedRead } from '../../src/cache/shared-read.ts'

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
