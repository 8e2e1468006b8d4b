// @vitest-environment jsdom
import { ID, tradeEvent, userId } from '@papermoon/live/testing'
import { QueryClientProvider } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer, Order } from '../../src/features/trading/panel/use-trade.ts'
import { type CurrentUser, cache, client, trpc } from '../../src/lib/api/api.ts'
import { queryClient } from '../../src/lib/api/query-client.ts'
import { type Keyed, mayRepeat, repeatOnce, useOrder } from '../../src/lib/api/use-order.ts'
import { latestToast } from '../../src/lib/ui/toasts.ts'
import { render } from '../support/render.tsx'

const order: Keyed<Order> = { side: 'buy', tokenId: ID, amount: '1', least: '5', requestId: 'key' }
const answer: Answer = {
  received: '10',
  trade: tradeEvent({ seq: 1 }).trade,
  position: { tokenId: ID, balance: '99', amount: '10', cost: '1' },
}

/** Creates an error like the server sends it. */
function refusal(reason: string, retryAfterS: number | null = null) {
  const data = { code: 'X', httpStatus: 503, path: 'trading.buy', reason, retryAfterS, requestKey: null }
  return TRPCClientError.from({ error: { message: reason, code: -32_603, data } })
}

/** Creates a server that responds to each order with the next of `answers`. */
function server(...answers: (Answer | Error)[]) {
  const orders: Keyed<Order>[] = []
  const send = async (sent: Keyed<Order>): Promise<Answer> => {
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
  it('is sent once if it gets a response', async () => {
    const { orders, send } = server(answer)
    await expect(repeatOnce(() => send(order))).resolves.toBe(answer)
    expect(orders).toEqual([order])
  })

  it.each([
    ['the market is busy', refusal('BUSY', 1)],
    ['the market is unavailable', refusal('DATABASE_AWAY', 1)],
    ['its outcome is unknown', refusal('OUTCOME_UNKNOWN', 1)],
    ['no response comes', TRPCClientError.from(new Error('Failed to fetch'))],
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

  it('stays unknown if the repeat is rejected before the server looks for the order', async () => {
    const { send } = server(TRPCClientError.from(new Error('Failed to fetch')), refusal('RATE_LIMITED'))
    const done = expect(repeatOnce(() => send(order))).rejects.toThrow('Failed to fetch')
    await vi.runAllTimersAsync()
    await done
  })

  it('is not sent again if it was rejected', async () => {
    const { orders, send } = server(refusal('SLIPPAGE_EXCEEDED'), answer)
    await expect(repeatOnce(() => send(order))).rejects.toThrow('SLIPPAGE_EXCEEDED')
    expect(orders).toHaveLength(1)
    expect(mayRepeat(refusal('INSUFFICIENT_BALANCE'))).toBe(false)
  })
})

interface Wish {
  readonly amount: string
}

/** Renders a form that sends wishes to a server, which responds to each with the next of `answers`. */
async function openForm(...answers: (string | Error)[]) {
  const sent: Keyed<Wish>[] = []
  const done: string[] = []
  const logins: string[] = []
  let order: { send: (wish: Wish) => void; failed: { isUnknown: boolean } | null } | undefined
  function Form() {
    order = useOrder<Wish, string>({
      call: async (wish) => {
        sent.push(wish)
        const next = answers.shift()
        if (next instanceof Error) throw next
        return next ?? 'nobody expected another order'
      },
      onAnswer: (answer) => void done.push(answer),
      failure: () => ({ title: 'Could not do it', unknown: 'Press again to check.' }),
      askForLogin: () => void logins.push('login'),
    })
    return null
  }
  await render(
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Form />
      </QueryClientProvider>
    </trpc.Provider>,
  )
  const press = (amount: string, times = 1) =>
    act(async () => {
      for (let time = 0; time < times; time++) order?.send({ amount })
      await vi.advanceTimersByTimeAsync(5_000)
    })
  const countKeys = () => new Set(sent.map(({ requestId }) => requestId)).size
  return {
    press,
    sent,
    done,
    logins,
    countKeys,
    isUnknown: () => order?.failed?.isUnknown,
  }
}

describe('a form', () => {
  const away = () => TRPCClientError.from(new Error('Failed to fetch'))

  beforeEach(() => {
    queryClient.clear()
    cache.auth.me.setData(undefined, { id: userId(1), solBalance: '100' } as CurrentUser)
  })

  it('sends an order once, however often the button is pressed', async () => {
    const { press, sent, done } = await openForm('filled')
    await press('1', 3)
    expect([sent.length, done]).toEqual([1, ['filled']])
  })

  it.each([
    ['no response came', away()],
    ['the second attempt was not processed', refusal('BUSY', 1)],
  ])('repeats the same order with its key when %s, and sends another one with its own', async (_, second) => {
    const { press, done, countKeys, isUnknown } = await openForm(away(), second, 'filled', 'filled again')
    await press('1')
    expect(isUnknown()).toBe(true)
    await press('1')
    expect([countKeys(), done]).toEqual([1, ['filled']])
    await press('1')
    expect([countKeys(), done]).toEqual([2, ['filled', 'filled again']])
  })

  it('sends a rejected order as a new one if the button is pressed again', async () => {
    const { press, countKeys, isUnknown } = await openForm(refusal('SLIPPAGE_EXCEEDED'), 'filled')
    await press('1')
    expect([isUnknown(), latestToast()?.toast]).toMatchObject([false, { title: 'Could not do it' }])
    await press('1')
    expect(countKeys()).toBe(2)
  })

  it('says that the result is unknown, and how to check it', async () => {
    const { press } = await openForm(away(), away())
    await press('1')
    expect(latestToast()?.toast).toMatchObject({ title: 'Result unknown', message: 'Press again to check.' })
  })

  it('sends guests to the login, and nothing to the server', async () => {
    cache.auth.me.setData(undefined, null)
    const { press, sent, logins } = await openForm()
    await press('1')
    expect([sent, logins]).toEqual([[], ['login']])
  })

  it('sends a player whose session has ended to the login, as a guest', async () => {
    const { data } = refusal('NOT_SIGNED_IN')
    const over = TRPCClientError.from({
      error: { message: 'Log in', code: -32_001, data: { ...data, httpStatus: 401 } },
    })
    const { press, logins, sent } = await openForm(over)
    await press('1')
    expect([logins, sent.length, cache.auth.me.getData()]).toEqual([['login'], 1, null])
  })
})
