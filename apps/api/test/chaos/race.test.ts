import { Decimal, tokensText } from '@papermoon/amm'
import type { TokenId } from '@papermoon/engine'
import { balancedBooks, readBooks } from '@papermoon/engine/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../support/test-server.ts'
import {
  type Answer,
  getJson,
  type RestOrder,
  type RestPlayer,
  registerPlayer,
  type TradeAnswer,
} from './support/rest-player.ts'
import { trpcPlayer } from './support/trpc-player.ts'

const PLAYERS = 20
const TOKENS = 5
const ORDERS = 200
const TIMES = 50

let server: TestServer
let url: string
let players: RestPlayer[]
let tokens: number[]
beforeAll(async () => {
  server = await createTestServer()
  url = `http://127.0.0.1:${await server.listen()}`
  players = await Promise.all(Array.from({ length: PLAYERS }, () => registerPlayer(url)))
  tokens = await Promise.all(players.slice(0, TOKENS).map((player, i) => player.launch(`Race ${i}`)))
})
afterAll(() => server?.close())

const player = (i: number): RestPlayer => players[i % PLAYERS] as RestPlayer
const token = (i: number): number => tokens[i % TOKENS] as number
const storedTrades = async () => (await server.database.db.selectFrom('trades').select('id').execute()).length
const granted = String(PLAYERS * 100)

/** Retries on 429, while the player has eight orders under way. */
async function whenFree(orderer: RestPlayer, order: RestOrder, key: string): Promise<TradeAnswer> {
  for (;;) {
    const answer = await orderer.order(order, key)
    if (answer.status === 200) return answer.body as TradeAnswer
    expect(answer).toMatchObject({ status: 429, body: expect.stringContaining('orders under way') })
    expect(answer.headers.get('retry-after')).toBe('1')
  }
}

describe('20 players on 5 tokens', () => {
  it('leave every sum exact after 200 buys and sells at once', async () => {
    const pairs = players.flatMap((_, p) => tokens.map((_, t) => ({ p, t })))
    const stakes = await Promise.all(
      pairs.map(({ p, t }) => whenFree(player(p), { tokenId: token(t), solAmount: `1.${p + 1}` }, `stake-${t}`)),
    )
    const before = await storedTrades()

    const orders = Array.from({ length: ORDERS }, (_, i): Promise<TradeAnswer> => {
      const { p, t } = pairs[i >> 1] ?? { p: 0, t: 0 }
      const held = new Decimal(stakes[i >> 1]?.trade.tokenAmount ?? 0)
      const order: RestOrder =
        i % 2 === 0
          ? { tokenId: token(t), solAmount: `0.${i + 1}` }
          : { tokenId: token(t), tokenAmount: tokensText(held.mul(((i >> 1) % 10) + 1).div(10)) }
      return whenFree(player(p), order, `race-${i}`)
    })
    const answers = await Promise.all(orders)

    expect(new Set(answers.map(({ trade }) => trade.id)).size).toBe(ORDERS)
    expect(await storedTrades()).toBe(before + ORDERS)
    expect(await readBooks(server.database)).toEqual(balancedBooks(granted))
  })

  it('find through the API that each pool and its holders add up to the supply', async () => {
    for (const id of tokens) {
      const { supply, pool } = await getJson<{ supply: string; pool: { tokenReserve: string } }>(
        `${url}/api/tokens/${id}`,
      )
      const holders = await getJson<{ amount: string }[]>(`${url}/api/tokens/${id}/holders`)
      const sum = holders.reduce((total, { amount }) => total.add(amount), new Decimal(pool.tokenReserve))
      expect(sum.toFixed()).toBe(supply)
    }
  })
})

describe(`one idempotency key, ${TIMES} times at once`, () => {
  it('trades once over REST, and every answer is the same', async () => {
    const before = await storedTrades()
    const order = { tokenId: token(0), solAmount: '0.5' }
    const answers = await Promise.all(Array.from({ length: TIMES }, () => player(0).order(order, 'fifty')))
    expect(answers.map(({ status }) => status)).toEqual(Array(TIMES).fill(200))
    expectAllEqual(answers.map(({ body }) => body))
    expect(await storedTrades()).toBe(before + 1)
  })

  it('trades once over REST, tRPC batches and a WebSocket together, and every answer is the same', async () => {
    const before = await storedTrades()
    const { overHttp, overSocket, close } = trpcPlayer(url, player(1))
    const order = { tokenId: token(1) as TokenId, solAmount: '0.5' }
    const input = { ...order, requestId: 'mixed' }
    const answers: unknown[] = await Promise.all([
      ...Array.from({ length: 20 }, async () => toBody(await player(1).order(order, 'mixed'))),
      ...Array.from({ length: 15 }, async () => withoutMark(await overHttp.trading.buy.mutate(input))),
      ...Array.from({ length: 15 }, async () => withoutMark(await overSocket.trading.buy.mutate(input))),
    ])
    await close()
    expect(answers).toHaveLength(TIMES)
    expectAllEqual(answers)
    expect(await storedTrades()).toBe(before + 1)
    expect(await readBooks(server.database)).toEqual(balancedBooks(granted))
  })

  it('is 422 for another order, over every transport', async () => {
    const before = await storedTrades()
    const { overHttp, overSocket, close } = trpcPlayer(url, player(1))
    const other = { tokenId: token(1) as TokenId, solAmount: '0.6', requestId: 'mixed' }
    const refusal = { data: { httpStatus: 422, reason: 'REQUEST_KEY_REUSED' } }
    expect(await player(1).order({ tokenId: token(1), solAmount: '0.6' }, 'mixed')).toMatchObject({ status: 422 })
    await expect(overHttp.trading.buy.mutate(other)).rejects.toMatchObject(refusal)
    await expect(overSocket.trading.buy.mutate(other)).rejects.toMatchObject(refusal)
    await close()
    expect(await storedTrades()).toBe(before)
  })
})

/** An answer without the mark of a repeat, which REST has in a header. */
function withoutMark<Body extends { isReplayed?: unknown }>({ isReplayed: _, ...body }: Body): unknown {
  return body
}

function toBody({ status, body }: Answer): unknown {
  expect(status).toBe(200)
  return body
}

function expectAllEqual(answers: readonly unknown[]): void {
  const [first] = answers
  expect(first).toMatchObject({ trade: { side: 'buy', solAmount: '0.5' } })
  for (const answer of answers) expect(answer).toEqual(first)
}
