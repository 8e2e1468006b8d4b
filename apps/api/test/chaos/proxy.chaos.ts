import { needs } from '@papermoon/db/testing'
import { describe, expect, it } from 'vitest'
import { describeProxy, hasProxy, killOrderNode } from './faults/proxy.ts'

/** More: `npm run chaos -- proxy`. */
describe('two nodes behind HAProxy', needs('haproxy', hasProxy()), () => {
  it('run every order on one, lose and double nothing when it is killed, and show each caller its own orders', async () => {
    const seen = await killOrderNode(150)
    process.stdout.write(`${describeProxy(seen)}\n`)
    expect(seen.orders[0]).toBeGreaterThanOrEqual(150)
    expect(seen.orders[1]).toBe(0)
    expect(seen.stale).toBe(0)
    expect(seen.reads).toBeGreaterThanOrEqual(150)
  })
})
