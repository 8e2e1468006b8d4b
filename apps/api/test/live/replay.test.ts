import { expect, it, vi } from 'vitest'
import { createReplayPageQueue, createReplayQueue, replayPage } from '../../src/features/live/replay.ts'
import type { WorkQueue } from '../../src/lib/work-queue.ts'

const readEvents = (count: number) => async () => new Array<number>(count).fill(0)

it('lets small pages pass, and large ones when it is their turn', async () => {
  const turn = Promise.withResolvers<void>()
  const replayPageQueue: WorkQueue = async (work) => {
    await turn.promise
    return await work()
  }
  const app = { replayQueue: createReplayQueue(), replayPageQueue }
  const left = vi.fn()
  const large = replayPage(app, readEvents(100)).then(left)
  expect(await replayPage(app, readEvents(99))).toHaveLength(99)
  expect(left).not.toHaveBeenCalled()
  turn.resolve()
  await large
  expect(left).toHaveBeenCalledWith(expect.objectContaining({ length: 100 }))
})

it('gives the turn to one large page after another', async () => {
  const queue = createReplayPageQueue()
  const first = Promise.withResolvers<void>()
  const begun: string[] = []
  const pages = [
    queue(async () => {
      begun.push('first')
      await first.promise
    }),
    queue(async () => void begun.push('second')),
  ]
  await new Promise(setImmediate)
  expect(begun).toEqual(['first'])
  first.resolve()
  await Promise.all(pages)
  expect(begun).toEqual(['first', 'second'])
})
