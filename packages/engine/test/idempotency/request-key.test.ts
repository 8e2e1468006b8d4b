import { expect, it } from 'vitest'
import { z } from 'zod'
import { newRequestKey } from '../../src/trading-engine.ts'

it('creates distinct UUIDs of version 7 that contain their time', () => {
  const before = Date.now()
  const keys = Array.from({ length: 1_000 }, newRequestKey)
  const after = Date.now()
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) {
    expect(z.uuidv7().safeParse(key).success, key).toBe(true)
    const madeMs = Number.parseInt(key.replaceAll('-', '').slice(0, 12), 16)
    expect(madeMs).toBeGreaterThanOrEqual(before)
    expect(madeMs).toBeLessThanOrEqual(after)
  }
})
