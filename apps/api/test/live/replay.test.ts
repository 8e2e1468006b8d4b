import { expect, it, vi } from 'vitest'
import { createReplayPageQueue, createReplayQueue, replayPage } from '../../src/features/live/replay.ts'
import type { WorkQueue } from '../../src/lib/work-queue.ts'

const readEvents = (count: number) => async () => new Array<number>(count).fill(0)

it('runs small pages at once and queues large ones', async () => {
  const turn = Promise.withResolvers<void>()
  const replayPageQueue: WorkQueue = async (_ip, work) => {
    await turn.promise
    return await work()
  }
  const reader = { app: { replayQueue: createReplayQueue(), replayPageQueue }, ip: '' }
  const left = vi.fn()
  const large = replayPage(reader, readEvents(100)).then(left)
  expect(await replayPage(reader, readEvents(99))).toHaveLength(99)
  expect(left).not.toHaveBeenCalled()
  turn.resolve()
  await large
  expect(left).toHaveBeenCalledWith(expect.objectContaining({ length: 100 }))
})

it('runs one large page at a time', async () => {
  const queue = createReplayPageQueue()
  const first = Promise.withResolvers<void>()
  const begun: string[] = []
  const pages = [
    queue('', async () => {
      begun.push('first')
      await first.promise
    }),
    queue('', async () => void begun.push('second')),
  ]
  await new Promise(setImmediate)
  expect(begun).toEqual(['first'])
  first.resolve()
  await Promise.all(pages)
  expect(begun).toEqual(['first', 'second'])
})
