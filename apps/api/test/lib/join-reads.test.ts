import { expect, it } from 'vitest'
import { joinReads } from '../../src/lib/join-reads.ts'

it('joins reads that start together or while another runs, and each caller gets its own result', async () => {
  const reads: number[][] = []
  const read = joinReads(async (keys: readonly number[]) => {
    reads.push([...keys])
    await new Promise(setImmediate)
    if (keys.includes(4)) throw new Error('away')
    return keys.map((key) => key * 10)
  })
  /** Starts some reads in one turn of the event loop, and others while they run. */
  const ask = async (some: readonly number[], others: readonly number[]) => {
    const asked = some.map(read)
    await Promise.resolve()
    return await Promise.allSettled([...asked, ...others.map(read)])
  }
  const toValue = (answer: PromiseSettledResult<number>) => (answer.status === 'fulfilled' ? answer.value : null)
  expect((await ask([1, 2], [3, 7])).map(toValue)).toEqual([10, 20, 30, 70])
  expect((await ask([5], [4, 6])).map(toValue)).toEqual([50, null, null])
  expect(await read(1)).toBe(10)
  expect(reads).toEqual([[1, 2], [3, 7], [5], [4, 6], [1]])
})
