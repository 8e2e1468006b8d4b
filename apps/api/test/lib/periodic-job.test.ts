import { ManualTimers } from '@papermoon/engine/testing'
import { expect, test, vi } from 'vitest'
import { startPeriodicJob } from '../../src/lib/periodic-job.ts'

test('a run that never ends is aborted and reported after its deadline, and the next one starts', async () => {
  const timers = new ManualTimers()
  const failed = vi.fn()
  const signals: AbortSignal[] = []
  const job = startPeriodicJob({ timers, everyMs: 1_000, deadlineMs: 5_000, failed }, (signal) => {
    signals.push(signal)
    return signals.length === 1 ? new Promise(() => {}) : Promise.resolve()
  })
  // The first run starts one period after the job was created.
  expect(signals).toEqual([])
  timers.pass(5_000)
  expect([signals.length, signals[0]?.aborted, failed.mock.calls.length]).toEqual([1, false, 0])
  timers.pass(1_000)
  expect([signals.length, signals[0]?.aborted, signals[1]?.aborted]).toEqual([2, true, false])
  expect(failed).toHaveBeenCalledExactlyOnceWith(new Error('A run did not end within 5 seconds.'))
  await job.stop()
})

test('the age of the last success grows while runs fail', async () => {
  const timers = new ManualTimers()
  const failed = vi.fn()
  let fails = false
  const job = startPeriodicJob({ timers, everyMs: 60_000, failed }, async () => {
    if (fails) throw new Error('no database')
  })
  await job.run()
  timers.pass(30_000)
  expect(job.getSuccessAge()).toBe(30)
  fails = true
  await job.run()
  timers.pass(10_000)
  expect([job.getSuccessAge(), failed.mock.calls.length]).toEqual([40, 1])
  fails = false
  await job.run()
  expect(job.getSuccessAge()).toBe(0)
  await job.stop()
})
