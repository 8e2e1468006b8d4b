import { expect, it } from 'vitest'
import { joinReads } from '../../src/lib/join-reads.ts'

it('joins the reads that are asked for while one runs, and answers each with its own', async () => {
  const reads: number[][] = []
  const read = joinReads(async (keys: readonly number[]) => {
    reads.push([...keys])
    await new Promise(setImmediate)
    if (keys.includes(4)) throw new Error('away')
    return keys.map((key) => key * 10)
  })
  expect(await Promise.all([read(1), read(2), read(3)])).toEqual([10, 20, 30])
  const failed = await Promise.allSettled([read(5), read(4), read(6)])
  expect(failed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await read(1)).toBe(10)
  expect(reads).toEqual([[1], [2, 3], [5], [4, 6], [1]])
})
