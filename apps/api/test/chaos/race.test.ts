import type { TokenId } from '@papermoon/engine'
import { balancedBooks, readBooks } from '@papermoon/engine/testing'
import { describe, expect, it } from 'vitest'
import { shareTestServer } from '../support/test-server.ts'
import { type Answer, type RestPlayer, registerPlayer } from './support/rest-player.ts'
import { trpcPlayer } from './support/trpc-player.ts'

const PLAYERS = 3
const TOKENS = 2
const TIMES = 50

const server = await shareTestServer()
const url = `http://127.0.0.1:${await server.listen()}`
const players = await Promise.all(Array.from({ length: PLAYERS }, () => registerPlayer(url)))
const tokens = await Promise.all(players.slice(0, TOKENS).map((player, i) => player.launch(`Race ${i}`)))

const player = (i: number): RestPlayer => players[i % PLAYERS] as RestPlayer
const token = (i: number): number => tokens[i % TOKENS] as number
const storedTrades = async () => (await server.database.db.selectFrom('trades').select('id').execute()).length
const granted = String(PLAYERS * 100)

it('a ninth order of a player while eight are under way is refused over REST, with a time to come back', async () => {
  const placed = await server.db.transaction().execute(async (tx) => {
    await tx.selectFrom('pools').select('token_id').where('token_id', '=', token(0)).forUpdate().execute()
    const order = { tokenId: token(0), solAmount: '0.1' }
    const orders = Array.from({ length: 9 }, (_, i) => player(2).order(order, `ninth-${i}`))
    const refused = await Promise.race(orders)
    expect(refused).toMatchObject({ status: 429, body: expect.stringContaining('orders in progress') })
    expect(refused.headers.get('retry-after')).toBe('1')
    return orders
  })
  const statuses = (await Promise.all(placed)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([...Array(8).fill(200), 429])
})

describe(`one idempotency key, ${TIMES} times at once`, () => {
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
