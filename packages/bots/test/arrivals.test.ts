import { describe, expect, it } from 'vitest'
import { Arrivals } from '../src/fleet/arrivals.ts'
import { WakeQueue } from '../src/fleet/wake-queue.ts'
import { createRandom } from '../src/index.ts'

const DAY_MS = 86_400_000
const DAYS = 20
const MEAN = 0.2

function draw(): readonly number[] {
  const arrivals = new Arrivals(createRandom(1), 0, MEAN)
  const times: number[] = []
  while (arrivals.nextAtMs < DAYS * DAY_MS) {
    times.push(arrivals.nextAtMs)
    arrivals.advance(arrivals.nextAtMs)
  }
  return times
}

describe('Arrivals', () => {
  const times = draw()

  it('have the expected rate on average, including excitement', () => {
    expect(times.length / (DAYS * DAY_MS * (MEAN / 1000))).toBeCloseTo(1, 1)
  })

  it('are fewer in the morning than in the evening', () => {
    const between = (fromHour: number) =>
      times.filter((atMs) => Math.floor((atMs % DAY_MS) / 10_800_000) === fromHour / 3).length
    expect(between(18)).toBeGreaterThan(between(6) * 1.8)
  })

  it('cluster: counts vary far more than those of independent arrivals would', () => {
    // Count windows of two hours at the same time of each day, which are much longer than the decay. So the daily
    // rhythm cannot explain the difference.
    const counts = Array.from({ length: DAYS }, (_, day) => {
      const fromMs = day * DAY_MS + 20 * 3_600_000
      return times.filter((atMs) => atMs >= fromMs && atMs < fromMs + 7_200_000).length
    })
    const mean = counts.reduce((sum, count) => sum + count, 0) / DAYS
    const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (DAYS - 1)
    // For independent arrivals, variance and mean would be equal.
    expect(variance / mean).toBeGreaterThan(4)
  })

  it('stay limited, however much strangers excite them', () => {
    const arrivals = new Arrivals(createRandom(2), 0, MEAN)
    for (let trade = 0; trade < 100_000; trade++) arrivals.excite(0, 1)
    let count = 0
    for (arrivals.advance(0); arrivals.nextAtMs < 60_000; arrivals.advance(arrivals.nextAtMs)) count++
    expect(count).toBeLessThan(MEAN * 60 * 12)
  })
})

describe('WakeQueue', () => {
  it('returns wakes in order of time, and drops surplus ones', () => {
    const random = createRandom(5)
    const wakes = new WakeQueue()
    for (let member = 0; member < 5000; member++) wakes.push({ atMs: random.int(1e6), member, tokenId: 1 })
    const times: number[] = []
    for (let wake = wakes.pop(); wake !== undefined; wake = wakes.pop()) times.push(wake.atMs)
    expect(times).toHaveLength(4096)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(wakes.nextAtMs).toBe(Number.POSITIVE_INFINITY)
  })
})
