// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { frameBatch } from '../../src/lib/live/live-feeds.ts'

const A_FRAME_MS = 17
const PENDING_MAX = 2_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a batch delivers', () => {
  const started = () => {
    const handedOver: number[][] = []
    return { handedOver, batch: frameBatch<number>((items) => handedOver.push([...items])) }
  }

  it('single items with the next frame', () => {
    const { handedOver, batch } = started()
    batch.push(1)
    vi.advanceTimersByTime(A_FRAME_MS)
    expect(handedOver).toEqual([[1]])
    vi.advanceTimersByTime(500)
    batch.push(2)
    vi.advanceTimersByTime(A_FRAME_MS)
    expect(handedOver).toEqual([[1], [2]])
  })

  it('a flood at most ten times a second, completely and in order', () => {
    const { handedOver, batch } = started()
    for (let item = 0; item < 1_000; item++) {
      batch.push(item)
      vi.advanceTimersByTime(2)
    }
    vi.advanceTimersByTime(200)
    expect(handedOver.length).toBeLessThanOrEqual(20)
    expect(handedOver.flat()).toEqual(Array.from({ length: 1_000 }, (_, item) => item))
  })

  it('items of a hidden tab, which gets no frames, within a second', () => {
    vi.stubGlobal('requestAnimationFrame', () => 1)
    const { handedOver, batch } = started()
    batch.push(1)
    vi.advanceTimersByTime(1_000)
    expect(handedOver).toEqual([[1]])
    vi.unstubAllGlobals()
  })

  it('at once if too many items are pending, and nothing after the stop', () => {
    const { handedOver, batch } = started()
    for (let item = 0; item < PENDING_MAX; item++) batch.push(item)
    expect(handedOver).toHaveLength(1)
    batch.push(0)
    batch.stop()
    vi.advanceTimersByTime(2_000)
    expect(handedOver).toHaveLength(1)
  })
})
