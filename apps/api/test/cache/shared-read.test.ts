import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SharedRead } from '../../src/cache/shared-read.ts'
import { createTestServer, type TestServer } from '../support/test-server.ts'

describe('GET /api/leaderboard', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createTestServer()
  })
  afterAll(() => server?.close())
  const board = async () => (await server.visitor().get('/api/leaderboard')).json()

  it('is computed once for all callers within 30 seconds', async () => {
    const [winner, loser] = [await server.player('winner'), await server.player('loser')]
    const id = await winner.launch({ initialBuyAmount: '5' })
    await loser.post('/api/tokens/buy', { tokenId: id, solAmount: '20' })
    expect(await board()).toEqual([])
    const { amount } = (await winner.get(`/api/tokens/${id}/position`)).json()
    await winner.post('/api/tokens/sell', { tokenId: id, tokenAmount: amount })
    expect(await board()).toEqual([])
    server.passTime(30_000)
    const boards = await Promise.all(Array.from({ length: 10 }, board))
    const [first] = boards
    expect(boards).toEqual(boards.map(() => first))
    expect(first).toEqual([
      {
        rank: 1,
        userId: expect.any(Number),
        username: 'winner',
        isBot: false,
        profilePictureUrl: null,
        wallet: 'So11111111111111111111111',
        totalPnL: expect.stringMatching(/^\d+\.\d{1,9}$/),
        tradesCount: 2,
        accountCreatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        counterparties: 1,
        sourcePercent: 100,
      },
    ])
    const typed = await server.visitor().query('leaderboard.get')
    expect(typed.json().result.data.json).toEqual(first)
  })
})

describe('a shared read', () => {
  const counting = () => {
    let count = 0
    return async () => ++count
  }

  it('runs once for all concurrent callers, even if it takes longer than its max age', async () => {
    const shared = new SharedRead<number>(30_000)
    const read = counting()
    expect(await Promise.all([0, 1, 29_999, 30_000, 90_000].map((nowMs) => shared.get(nowMs, read)))).toEqual([
      1, 1, 1, 1, 1,
    ])
  })

  it('runs again when its result is too old or the clock jumped back', async () => {
    const shared = new SharedRead<number>(30_000)
    const read = counting()
    const answers: number[] = []
    for (const nowMs of [0, 29_999, 30_000, 59_999, 60_000, 10]) answers.push(await shared.get(nowMs, read))
    expect(answers).toEqual([1, 1, 2, 2, 3, 4])
  })

  it('rejects all waiting callers when it fails, and does not cache the failure', async () => {
    const shared = new SharedRead<number>(30_000)
    const fail = async () => Promise.reject(new Error('away'))
    const waiting = [shared.get(0, fail), shared.get(0, counting())]
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await shared.get(0, counting())).toBe(1)
  })
})
