import { describe, expect, it } from 'vitest'
import { createWorkQueue } from '../../src/lib/work-queue.ts'

class FullError extends Error {}

function createQueue(waitingMax: number) {
  const queue = createWorkQueue({ runningMax: 1, waitingMax, full: () => new FullError() })
  const first = Promise.withResolvers<void>()
  const done: string[] = []
  const results: Promise<unknown>[] = [queue('192.0.2.1', () => first.promise)]
  return {
    done,
    add: (ip: string, name: string) => {
      const result = queue(ip, async () => void done.push(name)).catch((error: unknown) => {
        if (!(error instanceof FullError)) throw error
        done.push(`no ${name}`)
      })
      results.push(result)
    },
    run: async () => {
      first.resolve()
      await Promise.all(results)
    },
  }
}

describe('a queue of work', () => {
  it('takes turns between networks, even if one of them has much work waiting', async () => {
    const queue = createQueue(100)
    for (const name of ['a1', 'a2', 'a3']) queue.add('192.0.2.1', name)
    queue.add('2001:db8:1:1::1', 'b1')
    // This address is in the same network as the one before.
    queue.add('2001:db8:1:2::1', 'b2')
    queue.add('192.0.2.3', 'c1')
    await queue.run()
    expect(queue.done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('rejects the newest item of the longest line if it is full', async () => {
    const queue = createQueue(3)
    for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add('192.0.2.1', name)
    for (const name of ['b1', 'b2']) queue.add('192.0.2.2', name)
    queue.add('192.0.2.3', 'c1')
    await queue.run()
    expect(queue.done.filter((name) => name.startsWith('no')).sort()).toEqual(['no a2', 'no a3', 'no a4', 'no b2'])
    expect(queue.done.slice(-3)).toEqual(['a1', 'b1', 'c1'])
  })

  it('continues after an item that failed', async () => {
    const queue = createWorkQueue({ runningMax: 1, waitingMax: 1, full: () => new FullError() })
    const failed = queue('192.0.2.1', () => Promise.reject(new Error('failed')))
    const next = queue('192.0.2.1', async () => 'next')
    await expect(failed).rejects.toThrow('failed')
    expect(await next).toBe('next')
  })
})
