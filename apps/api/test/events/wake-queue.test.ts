import { afterEach, expect, it, vi } from 'vitest'
import { EventBuffer } from '../../src/events/event-buffer.ts'
import { WakeQueue } from '../../src/events/wake-queue.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Collects what is woken, in the order of waking, in groups of what is woken together. */
function watch() {
  const groups: number[][] = []
  let current: number[] | null = null
  const note = (id: number) => {
    if (current === null) {
      current = []
      groups.push(current)
      // Runs before the next timer.
      process.nextTick(() => {
        current = null
      })
    }
    current.push(id)
  }
  return { groups, note }
}

const sum = (groups: readonly number[][]) => groups.reduce((total, group) => total + group.length, 0)
const range = (count: number) => Array.from({ length: count }, (_, i) => i)

it('wakes a few subscribers at once, within the turn in which they ask', async () => {
  const { groups, note } = watch()
  const queue = new WakeQueue()
  for (const id of range(16)) queue.add(() => note(id))
  expect(groups).toEqual([])
  await Promise.resolve()
  expect(groups).toEqual([range(16)])
})

it.each([
  [17, 16],
  [200, 16],
  [5_000, 157],
])('wakes %i in order, at most %i in one step', async (count, together) => {
  const { groups, note } = watch()
  const queue = new WakeQueue()
  for (const id of range(count)) queue.add(() => note(id))
  await expect.poll(() => sum(groups)).toBe(count)
  expect(groups.flat()).toEqual(range(count))
  expect(Math.max(...groups.map((group) => group.length))).toBe(together)
})

it('lets others run between two steps', async () => {
  const { groups, note } = watch()
  const queue = new WakeQueue()
  for (const id of range(1_000)) queue.add(() => note(id))
  await new Promise(setImmediate)
  expect(sum(groups)).toBeLessThan(1_000)
  await expect.poll(() => sum(groups)).toBe(1_000)
})

it('wakes each once, however often it asks before its turn, and none that was removed', async () => {
  const { groups, note } = watch()
  const queue = new WakeQueue()
  const wakes = range(130).map((id) => () => note(id))
  for (let times = 0; times < 3; times++) for (const wake of wakes) queue.add(wake)
  for (const wake of wakes.slice(120)) queue.remove(wake)
  await expect.poll(() => sum(groups)).toBe(120)
  expect(groups.flat()).toEqual(range(120))
  queue.add(() => note(130))
  await expect.poll(() => groups.flat().at(-1)).toBe(130)
})

it('hands a subscriber that waits for its turn all events at once, in order, and one that has left none', async () => {
  const wakes = new WakeQueue()
  const left = new AbortController()
  const buffers = range(200).map((i) => {
    const signal = i === 199 ? left.signal : undefined
    return new EventBuffer({ sizeMax: 10, signal, wakes })
  })
  const taken = buffers.map((buffer) => buffer.take())
  const publish = (seq: number) => {
    for (const { push } of buffers) push({ seq } as never)
  }
  publish(1)
  // The first step wakes 16; the others are still waiting at the next event.
  await taken[15]
  left.abort()
  publish(2)
  const seqs = (await Promise.all(taken)).map(({ events }) => events.map(({ seq }) => seq))
  expect(seqs.slice(0, 16)).toEqual(new Array(16).fill([1]))
  expect(seqs.slice(16, 199)).toEqual(new Array(183).fill([1, 2]))
  expect(
    (await Promise.all(buffers.slice(0, 16).map((buffer) => buffer.take()))).every(({ events }) => events.length === 1),
  ).toBe(true)
})

it.each([
  ['eight times as long as a round took', 2, 16],
  ['250 ms at most', 40, 250],
])('rests before the next round: %s', async (_, roundMs, restMs) => {
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const endRound = () => new Promise((resolve) => process.nextTick(resolve))
  const queue = new WakeQueue()
  queue.add(() => {
    nowMs += roundMs
  })
  await Promise.resolve()
  await endRound()
  const late = vi.fn()
  queue.add(late)
  await vi.advanceTimersByTimeAsync(restMs - 1)
  expect(late).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(late).toHaveBeenCalledOnce()
})

it('ends a rest when a subscriber can hold few more events', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const wakes = new WakeQueue()
  wakes.add(() => {
    nowMs += 1_000
  })
  await new Promise(setImmediate)
  const buffer = new EventBuffer({ sizeMax: 10, signal: undefined, wakes })
  const woken = vi.fn()
  const taken = buffer.take().then(woken)
  const publish = (count: number) => {
    for (const seq of range(count)) buffer.push({ seq } as never)
  }
  publish(4)
  await new Promise(setImmediate)
  expect(woken).not.toHaveBeenCalled()
  publish(1)
  await taken
  expect(woken).toHaveBeenCalledWith({ events: expect.objectContaining({ length: 5 }), overflowed: false })
})

it('wakes at once when the rest is over', async () => {
  const queue = new WakeQueue()
  const woken = vi.fn()
  queue.add(woken)
  // The round has ended by then.
  await new Promise(setImmediate)
  const laterMs = performance.now() + 1_000
  vi.spyOn(performance, 'now').mockReturnValue(laterMs)
  queue.add(woken)
  await Promise.resolve()
  expect(woken).toHaveBeenCalledTimes(2)
})
