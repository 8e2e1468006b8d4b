import { parseSol } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { describe, expect, it } from 'vitest'
import { OrderQueue, type PendingOrder } from '../src/order-queue.ts'

function pending(
  userId: number,
  name = '',
  more: { waitsForOthers?: boolean; queuedAtMs?: number } = {},
): PendingOrder {
  const { waitsForOthers, queuedAtMs = 0 } = more
  return {
    order: { kind: 'buy', userId: userId as UserId, tokenId: 1 as TokenId, sol: parseSol('1'), waitsForOthers },
    requestKey: name,
    mayBeRepeat: false,
    queuedAtMs,
    takenMs: 0,
    trace: null,
    notAfterMs: Number.POSITIVE_INFINITY,
    resolve: () => {},
    reject: () => {},
  }
}

describe('the order queue', () => {
  it('takes one order per player in turn, so a flood cannot block others', () => {
    const queue = new OrderQueue({ waitingMax: 100, perPlayerMax: 8 })
    for (let i = 0; i < 8; i++) queue.push(pending(1, `flood-${i}`))
    queue.push(pending(2, 'two'))
    queue.push(pending(3, 'three'))
    expect(queue.take(4).map(({ requestKey }) => requestKey)).toEqual(['flood-0', 'two', 'three', 'flood-1'])
    expect(queue.take(2).map(({ requestKey }) => requestKey)).toEqual(['flood-2', 'flood-3'])
    expect(queue.waiting).toBe(4)
  })

  it('keeps the order of each player’s own orders', () => {
    const queue = new OrderQueue({ waitingMax: 100, perPlayerMax: 8 })
    for (const name of ['a', 'b', 'c']) queue.push(pending(1, name))
    expect(queue.take(10).map(({ requestKey }) => requestKey)).toEqual(['a', 'b', 'c'])
  })

  it('takes orders that were put back before their player’s later ones', () => {
    const queue = new OrderQueue({ waitingMax: 100, perPlayerMax: 8 })
    for (const name of ['a', 'b', 'c']) queue.push(pending(1, name))
    queue.putBack(queue.take(2))
    expect(queue.take(3).map(({ requestKey }) => requestKey)).toEqual(['a', 'b', 'c'])
  })

  it('takes low-priority orders only if no other order waits, also in turn', () => {
    const queue = new OrderQueue({ waitingMax: 100, perPlayerMax: 8 })
    const waitsForOthers = true
    for (const name of ['bot-0', 'bot-1', 'bot-2']) queue.push(pending(1, name, { waitsForOthers }))
    queue.push(pending(4, 'other bot', { waitsForOthers, queuedAtMs: 5 }))
    for (const name of ['a', 'b']) queue.push(pending(2, name))
    queue.push(pending(1, 'elsewhere'))
    expect(queue.take(2).map(({ requestKey }) => requestKey)).toEqual(['a', 'elsewhere'])
    expect(queue.take(3).map(({ requestKey }) => requestKey)).toEqual(['b', 'bot-0', 'other bot'])
    expect(queue.takeOlderThan(1).map(({ requestKey }) => requestKey)).toEqual(['bot-1', 'bot-2'])
    expect(queue.waiting).toBe(0)
  })

  it('counts a player’s orders until they are settled, not until they are taken', () => {
    const queue = new OrderQueue({ waitingMax: 100, perPlayerMax: 2 })
    const first = pending(1)
    queue.push(first)
    queue.push(pending(1))
    queue.take(2)
    expect(() => queue.push(pending(1))).toThrow(expect.objectContaining({ code: 'TOO_MANY_ORDERS', retryAfterS: 1 }))
    queue.release(first)
    expect(() => queue.push(pending(1))).not.toThrow()
  })

  it('rejects orders beyond its limit', () => {
    const queue = new OrderQueue({ waitingMax: 2, perPlayerMax: 8 })
    queue.push(pending(1))
    queue.push(pending(2))
    expect(() => queue.push(pending(3))).toThrow(expect.objectContaining({ code: 'BUSY', retryAfterS: 1 }))
  })
})
