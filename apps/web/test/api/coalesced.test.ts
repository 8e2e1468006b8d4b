import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { coalesced } from '../../src/lib/api/coalesced.ts'

const EVERY_MS = 1_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('coalesced runs', () => {
  it('start at once, then at most once per interval', async () => {
    const run = vi.fn(async () => {})
    const runs = coalesced(run, EVERY_MS)
    for (let times = 0; times < 500; times++) runs.ask()
    expect(run).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(EVERY_MS - 1)
    runs.ask()
    expect(run).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(run).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(10 * EVERY_MS)
    expect(run).toHaveBeenCalledTimes(2)
    runs.ask()
    expect(run).toHaveBeenCalledTimes(3)
  })

  it('never overlap; a request during a run starts another one after it', async () => {
    let finish = () => {}
    const run = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
    const runs = coalesced(run, EVERY_MS)
    runs.ask()
    runs.ask()
    await vi.advanceTimersByTimeAsync(5 * EVERY_MS)
    expect(run).toHaveBeenCalledTimes(1)
    finish()
    await vi.advanceTimersByTimeAsync(0)
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('continue after a failed run', async () => {
    const run = vi.fn(async () => {
      throw new Error('the server is away')
    })
    const runs = coalesced(run, EVERY_MS)
    runs.ask()
    await vi.advanceTimersByTimeAsync(EVERY_MS)
    runs.ask()
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('do not start after the stop', async () => {
    const run = vi.fn(async () => {})
    const runs = coalesced(run, EVERY_MS)
    runs.ask()
    runs.ask()
    runs.stop()
    await vi.advanceTimersByTimeAsync(2 * EVERY_MS)
    runs.ask()
    expect(run).toHaveBeenCalledTimes(1)
  })
})
