import assert from 'node:assert/strict'
import { expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { createTestServer, registration, type TestServer, type Visitor } from '../support/test-server.ts'

const HOUR_MS = 3_600_000
/** Addresses that guests and a player read. */
const PUBLIC = ['/api/tokens', '/api/leaderboard', '/api/tokens/tape', '/api/tokens/movers', '/readyz']
const OWN = ['/api/auth/user', '/api/portfolio', '/api/portfolio/history', '/api/dashboard']

it('a clock that jumps back an hour: trading, queries and sessions go on, and no token’s time goes back', async () => {
  const server = await createTestServer()
  try {
    const player = await server.player('clockmaker')
    const tokenId = await player.launch({ initialBuyAmount: '1' })
    await tradeAndLook(server, player, tokenId)
    server.passTime(-HOUR_MS)
    await tradeAndLook(server, player, tokenId)
    await assertSignIn(server)
    server.passTime(2 * HOUR_MS)
    await tradeAndLook(server, player, tokenId)
    const times = await assertTimesInOrder(server, tokenId)
    // Trades made while the clock is behind get the time of the last trade before.
    expect(new Set(times).size).toBeLessThan(times.length)
    expect((await auditMarket(server.database.pool)).shown).toEqual([])
  } finally {
    await server.close()
  }
})

/** Checks orders, their events, and that every query has the last trade. */
async function tradeAndLook(server: TestServer, player: Visitor, tokenId: number): Promise<void> {
  const bought = await player.post('/api/tokens/buy', { tokenId, solAmount: '0.5' })
  assert.equal(bought.statusCode, 200, bought.body)
  const { trade } = bought.json()
  const sold = await player.post('/api/tokens/sell', { tokenId, tokenAmount: trade.tokenAmount })
  assert.equal(sold.statusCode, 200, sold.body)
  for (const path of [...PUBLIC, ...OWN]) {
    const answer = await player.get(path)
    assert.equal(answer.statusCode, 200, `${path}: ${answer.body}`)
  }
  const { seq } = sold.json().trade
  const [token, chart] = await Promise.all([server.visitor().get(`/api/tokens/${tokenId}`), readChart(server, tokenId)])
  assert.equal(token.json().seq, seq)
  assert.equal(chart.seq, seq)
  assert.equal(chart.ticks.at(-1)?.seq, seq)
}

interface ChartAnswer {
  readonly seq: number
  readonly candles: readonly { readonly time: string }[]
  readonly ticks: readonly { readonly seq: number; readonly time: string }[]
}

async function readChart(server: TestServer, tokenId: number): Promise<ChartAnswer> {
  const answer = await server.visitor().get(`/api/charts/${tokenId}`)
  assert.equal(answer.statusCode, 200, answer.body)
  const chart: ChartAnswer = answer.json()
  assertInOrder(chart.candles.map(({ time }) => time))
  assertInOrder(chart.ticks.map(({ time }) => time))
  return chart
}

/** Checks that sessions begin, hold and end. */
async function assertSignIn(server: TestServer): Promise<void> {
  const visitor = server.visitor()
  const { email, password } = registration('clockmaker')
  assert.equal((await visitor.post('/api/auth/login', { email, password })).statusCode, 200)
  assert.equal((await visitor.get('/api/auth/user')).statusCode, 200)
  assert.equal((await visitor.post('/api/auth/logout', {})).statusCode, 200)
  assert.equal((await visitor.get('/api/auth/user')).statusCode, 401)
}

async function assertTimesInOrder({ db }: TestServer, tokenId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('trades')
    .select('created_at')
    .where('token_id', '=', tokenId)
    .orderBy('seq')
    .execute()
  const times = rows.map(({ created_at }) => created_at.toISOString())
  assertInOrder(times)
  return times
}

/** Throws if a token's time goes back. */
function assertInOrder(times: readonly string[]): void {
  assert.deepEqual(times, times.toSorted())
}
