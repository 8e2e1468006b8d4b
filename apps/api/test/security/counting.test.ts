import { createTestDatabase } from '@papermoon/db/testing'
import { describe, expect, it } from 'vitest'
import { Counter } from '../../src/http/sockets/connection-limits.ts'
import { logAttempt } from '../../src/security/attempts.ts'
import { spendBudget } from '../../src/security/proof-of-work/proof-of-work.ts'
import type { LimitName } from '../../src/security/rate-limits.ts'

describe('a counter of connections', () => {
  it('takes each back once, however often its end is told', () => {
    const counter = new Counter()
    const [end] = [counter.add('a'), counter.add('a')]
    end?.()
    end?.()
    expect(counter.count('a')).toBe(1)
  })
})

describe('a shared budget', () => {
  it('is never spent less than nothing, whatever is given back', async () => {
    const { db, drop } = await createTestDatabase({ poolMax: 1 })
    const spend = (amount: number) => spendBudget(db, { name: 'tries', lengthMs: 60_000, amount }, new Date())
    expect([await spend(1), await spend(-5), await spend(2)]).toEqual([1, 0, 2])
    await drop()
  })
})

describe('the security log', () => {
  it('has calls past limits that protect accounts, and not those of the market', () => {
    const kinds: string[] = []
    const securityLog = { refused: ({ kind }: { readonly kind: string }) => kinds.push(kind) }
    const log = (limit: LimitName) =>
      logAttempt(
        { accounts: { securityLog } } as never,
        { ip: '192.0.2.1' },
        { code: 'RATE_LIMITED', path: '/', limit },
      )
    for (const limit of ['read', 'write', 'launch', 'upload'] as const) log(limit)
    expect(kinds).toEqual([])
    log('attempt')
    expect(kinds).toEqual(['rate_limited'])
  })
})
