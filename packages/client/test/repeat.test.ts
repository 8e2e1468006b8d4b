import { TRPCClientError } from '@trpc/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isPapermoonError, repeatUntilAnswered } from '../src/index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const UNREACHED = null
const BUSY = { httpStatus: 503 }
const LIMITED = { httpStatus: 429, retryAfterS: 7 }
const REFUSED = { httpStatus: 400 }

function failWith(data: object | null): Error {
  return Object.assign(new TRPCClientError('It failed.'), { data })
}

/**
 * Returns a call that fails with these errors one after another and then succeeds. `times` contains the start of each
 * attempt.
 */
function answerAfter(...failures: (object | null)[]) {
  const start = Date.now()
  const times: number[] = []
  const call = async () => {
    const failure = failures[times.length]
    times.push(Date.now() - start)
    if (failure !== undefined) throw failWith(failure)
    return 'done'
  }
  return { call, times }
}

it('repeats a call without a response, each time after twice as long', async () => {
  const { call, times } = answerAfter(UNREACHED, BUSY, UNREACHED)
  const answer = repeatUntilAnswered(call)
  await vi.runAllTimersAsync()
  expect(await answer).toBe('done')
  expect(times).toEqual([0, 100, 300, 700])
})

it('waits as long as the server asks, and otherwise at most five seconds', async () => {
  const { call, times } = answerAfter(LIMITED, ...Array.from({ length: 7 }, () => BUSY))
  const answer = repeatUntilAnswered(call)
  await vi.runAllTimersAsync()
  await answer
  expect(times.slice(0, 2)).toEqual([0, 7_000])
  expect((times[8] ?? 0) - (times[7] ?? 0)).toBe(5_000)
})

it('rejects at once if the server rejected the call, or if the error is not from a call', async () => {
  const { call, times } = answerAfter(REFUSED)
  const refused = expect(repeatUntilAnswered(call)).rejects.toSatisfy(isPapermoonError)
  await vi.runAllTimersAsync()
  await refused
  expect(times).toEqual([0])
  await expect(repeatUntilAnswered(() => Promise.reject(new RangeError('none')))).rejects.toBeInstanceOf(RangeError)
})

it('stops in time with the last error, and not in the middle of a pause', async () => {
  const { call, times } = answerAfter(...Array.from({ length: 99 }, () => BUSY))
  const answer = expect(repeatUntilAnswered(call, { giveUpAfterMs: 1_000 })).rejects.toMatchObject({ data: BUSY })
  await vi.runAllTimersAsync()
  await answer
  expect(times).toEqual([0, 100, 300, 700])
})

it('rejects with the reason of its signal, before a pause and during it', async () => {
  const over = new Error('over')
  const before = repeatUntilAnswered(answerAfter(BUSY).call, { signal: AbortSignal.abort(over) })
  await expect(before).rejects.toBe(over)
  const controller = new AbortController()
  const { call, times } = answerAfter(LIMITED)
  const during = expect(repeatUntilAnswered(call, { signal: controller.signal })).rejects.toBe(over)
  await vi.advanceTimersByTimeAsync(3_000)
  controller.abort(over)
  await during
  expect(times).toEqual([0])
  expect(vi.getTimerCount()).toBe(0)
})
