import { ID, tradeEvent } from '@papermoon/live/testing'
import { TRPCClientError } from '@trpc/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answer, mayRepeat, type Order, repeatOnce } from '../../src/features/trading/order/place-order.ts'

const order: Order = { side: 'buy', tokenId: ID, amount: '1', least: '5', requestId: 'key' }
const answer: Answer = {
  received: '10',
  trade: tradeEvent({ seq: 1 }).trade,
  position: { tokenId: ID, balance: '99', amount: '10', cost: '1' },
}

/** A refusal as the server sends it. */
function refusal(reason: string, retryAfterS: number | null = null) {
  const data = { code: 'X', httpStatus: 503, path: 'trading.buy', reason, retryAfterS, requestKey: null }
  return TRPCClientError.from({ error: { message: reason, code: -32_603, data } })
}

/** A server that answers each order with the next of `answers`. */
function server(...answers: (Answer | Error)[]) {
  const orders: Order[] = []
  const send = async (sent: Order): Promise<Answer> => {
    orders.push(sent)
    const next = answers.shift()
    if (next === undefined) throw new Error('nobody expected another order')
    if (next instanceof Error) throw next
    return next
  }
  return { orders, send }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('an order', () => {
  it('is sent once when it is answered', async () => {
    const { orders, send } = server(answer)
    await expect(repeatOnce(() => send(order))).resolves.toBe(answer)
    expect(orders).toEqual([order])
  })

  it.each([
    ['the market is busy', refusal('BUSY', 1)],
    ['the market is out of reach', refusal('DATABASE_AWAY', 1)],
    ['nobody knows whether it was done', refusal('OUTCOME_UNKNOWN', 1)],
    ['no answer comes', TRPCClientError.from(new Error('Failed to fetch'))],
  ])('is sent once more, with the same key, when %s', async (_, error) => {
    const { orders, send } = server(error, answer)
    const done = repeatOnce(() => send(order))
    await vi.runAllTimersAsync()
    await expect(done).resolves.toBe(answer)
    expect(orders.map(({ requestId }) => requestId)).toEqual(['key', 'key'])
  })

  it('waits as long as the server asks before it is sent again', async () => {
    const { orders, send } = server(refusal('BUSY', 3), answer)
    const done = repeatOnce(() => send(order))
    await vi.advanceTimersByTimeAsync(2_999)
    expect(orders).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(orders).toHaveLength(2)
    await done
  })

  it('is not sent a third time', async () => {
    const { orders, send } = server(refusal('BUSY', 1), refusal('BUSY', 1), answer)
    const done = expect(repeatOnce(() => send(order))).rejects.toThrow('BUSY')
    await vi.runAllTimersAsync()
    await done
    expect(orders).toHaveLength(2)
  })

  it('is not sent again when it was refused', async () => {
    const { orders, send } = server(refusal('SLIPPAGE_EXCEEDED'), answer)
    await expect(repeatOnce(() => send(order))).rejects.toThrow('SLIPPAGE_EXCEEDED')
    expect(orders).toHaveLength(1)
    expect(mayRepeat(refusal('INSUFFICIENT_BALANCE'))).toBe(false)
  })
})
