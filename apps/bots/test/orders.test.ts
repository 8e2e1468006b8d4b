import { createPapermoonClient } from '@papermoon/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SERVER_BACKOFF, toPauseMs } from '../src/lib/backoff.ts'
import type { Failure } from '../src/lib/failure.ts'
import { sendOrder } from '../src/orders/send-order.ts'
import { Trader } from '../src/orders/trader.ts'
import { createBots } from './support/house-bots.ts'
import { startMarket, type TestMarket } from './support/market.ts'

let market: TestMarket
let key: string
let tokenId: number
beforeAll(async () => {
  market = await startMarket()
  const [bot] = await createBots(market.url, ['ada'], { tokens: 1 })
  key = bot?.key ?? ''
  const { tokens } = await createPapermoonClient({ url: market.url }).api.tokens.list.query({})
  tokenId = tokens[0]?.id ?? 0
})
afterAll(() => market.remove())

const signal = new AbortController().signal
const options = { signal, random: () => 0 }

function openTrader(send: typeof fetch = fetch): Promise<Trader> {
  return Trader.open('ada', createPapermoonClient({ url: market.url, apiKey: key, fetch: send }), signal)
}

const toBuy = (sol: number) => ({ kind: 'buy', userId: 1, tokenId, sol, minTokensOut: 0 }) as const

describe('a trader', () => {
  it('places one of two orders decided on the same account by two processes, and then goes on', async () => {
    const before = await market.countTrades()
    const [one, other] = await Promise.all([openTrader(), openTrader()])
    const outcomes = await Promise.all([one.place(toBuy(0.1), options), other.place(toBuy(0.2), options)])
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['done', 'refused'])
    const refused = outcomes.find((outcome) => outcome.kind === 'refused')
    expect(refused).toMatchObject({ failure: { reason: 'REQUEST_KEY_REUSED' } })
    expect(await market.countTrades()).toBe(before + 1)
    expect(one.account).not.toBe(other.account)
    const again = outcomes[0]?.kind === 'refused' ? one : other
    expect(await again.place(toBuy(0.3), options)).toMatchObject({ kind: 'done' })
    expect(await market.countTrades()).toBe(before + 2)
  })

  it('places an order once, however many of its answers are lost', async () => {
    const before = await market.countTrades()
    let lost = 3
    const trader = await openTrader(async (url, init) => {
      const answer = await fetch(url, init)
      if (init?.method === 'POST' && lost-- > 0) throw new TypeError('the connection broke')
      return answer
    })
    expect(await trader.place(toBuy(0.1), options)).toMatchObject({ kind: 'done', attempts: 4 })
    expect(await market.countTrades()).toBe(before + 1)
  })

  it('leaves an order whose answer was lost to its successor’s account', async () => {
    const before = await market.countTrades()
    const killed = new AbortController()
    const dying = await openTrader(async (url, init) => {
      const answer = await fetch(url, { ...init, signal: null })
      if (init?.method === 'POST') killed.abort()
      if (init?.method === 'POST') throw new TypeError('the process was killed')
      return answer
    })
    const early = await openTrader()
    const outcome = await dying.place(toBuy(0.1), { ...options, signal: killed.signal })
    expect(outcome).toMatchObject({ kind: 'unknown' })
    // One that read the account before that order places nothing on top of it; one that read it after does.
    expect(await early.place(toBuy(0.1), options)).toMatchObject({ kind: 'done' })
    expect(await market.countTrades()).toBe(before + 1)
    const late = await openTrader()
    expect(late.account.balance).toBe(early.account.balance)
    expect(await late.place(toBuy(0.1), options)).toMatchObject({ kind: 'done' })
    expect(await market.countTrades()).toBe(before + 2)
  })

  it('sells exactly what it holds, and rugs its token once', async () => {
    const trader = await openTrader()
    const tokens = Number(trader.account.holdings.get(tokenId)?.amount)
    const sale = { kind: 'sell', userId: 1, tokenId, tokens, minSolOut: 0.000_001 } as const
    expect(await trader.place(sale, options)).toMatchObject({ kind: 'done' })
    expect(trader.account.holdings.has(tokenId)).toBe(false)
    const rug = { kind: 'rug', userId: 1, tokenId } as const
    expect(await trader.place(rug, options)).toMatchObject({ kind: 'done', answer: { tokenId } })
    expect(await (await openTrader()).place(rug, options)).toMatchObject({ kind: 'done' })
    const { balance } = trader.account
    await trader.refresh(signal)
    expect(trader.account.balance).toBe(balance)
    expect(await market.audit()).toEqual([])
  })
})

describe('an order', () => {
  const refusal = (reason: string | null, httpStatus?: number) =>
    Object.assign(new Error('no'), { data: httpStatus === undefined ? undefined : { reason, httpStatus } })
  const answers = (...all: (Error | 'ok')[]) => {
    let count = 0
    return async () => {
      const answer = all[count++]
      if (answer === 'ok') return 'ok'
      throw answer ?? new Error('asked too often')
    }
  }

  it('is dropped when the server did not take it, and repeated when that is not known', async () => {
    const busy = refusal('BUSY', 503)
    const unknown = refusal('OUTCOME_UNKNOWN', 503)
    const limited = refusal('RATE_LIMITED', 429)
    expect(await sendOrder(answers(busy), options)).toMatchObject({ kind: 'refused', attempts: 1 })
    expect(await sendOrder(answers(limited), options)).toMatchObject({ kind: 'refused', attempts: 1 })
    expect(await sendOrder(answers(unknown, busy, limited, 'ok'), options)).toMatchObject({ kind: 'done', attempts: 4 })
    const closed = refusal('TOKEN_CLOSED', 409)
    expect(await sendOrder(answers(refusal(null), closed), options)).toMatchObject({ kind: 'refused', attempts: 2 })
  })

  it('waits longer with each attempt, and as long as the server asks', async () => {
    expect([0, 1, 2, 3, 60].map((attempt) => toPauseMs(SERVER_BACKOFF, attempt, 0))).toEqual([
      250, 500, 1_000, 2_000, 30_000,
    ])
    expect(toPauseMs(SERVER_BACKOFF, 1, 0.999_999)).toBeCloseTo(250, 2)
    const failures: Failure[] = []
    const onRepeat = (failure: Failure) => void failures.push(failure)
    const slow = Object.assign(new Error('later'), {
      data: { reason: 'DATABASE_AWAY', httpStatus: 503, retryAfterS: 0.01 },
    })
    await sendOrder(answers(slow, 'ok'), { ...options, onRepeat })
    expect(failures).toEqual([{ message: 'later', reason: 'DATABASE_AWAY', status: 503, retryAfterS: 0.01 }])
  })
})
