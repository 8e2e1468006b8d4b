import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bellMoment, commitOf } from '../../src/features/fairs/schedule.ts'

const ENDS_AT = new Date('2026-03-01T13:15:00.000Z')

describe('the bell of a fair', () => {
  it('falls where the published formula says', () => {
    const secret = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
    const hash = createHash('sha256')
      .update(Buffer.concat([Buffer.from('papermoon bell\n'), secret]))
      .digest('hex')
    const early = (60_000n * BigInt(`0x${hash.slice(0, 12)}`)) / 2n ** 48n
    expect(bellMoment(secret, ENDS_AT, 60).getTime()).toBe(ENDS_AT.getTime() - Number(early) - 1)
    expect(commitOf(secret)).toBe(createHash('sha256').update(secret).digest('hex'))
  })

  it('falls within its window, and at the end without one', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 32 }),
        fc.integer({ min: 0, max: 3_600 }),
        (secret, windowS) => {
          const earlyMs = ENDS_AT.getTime() - bellMoment(secret, ENDS_AT, windowS).getTime()
          expect(earlyMs).toBeGreaterThanOrEqual(0)
          expect(earlyMs).toBeLessThanOrEqual(windowS * 1000)
        },
      ),
    )
  })

  it('falls anywhere in its window: each tenth has its share of 10,000 secrets', () => {
    const counts = Array.from({ length: 10 }, () => 0)
    for (let n = 0; n < 10_000; n++) {
      const secret = Buffer.alloc(4)
      secret.writeUInt32BE(n)
      const earlyMs = ENDS_AT.getTime() - bellMoment(secret, ENDS_AT, 60).getTime()
      const tenth = Math.min(9, Math.floor(earlyMs / 6_000))
      counts[tenth] = (counts[tenth] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })
})
