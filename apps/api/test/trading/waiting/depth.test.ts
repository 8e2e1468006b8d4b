import type { Depth } from '@papermoon/contract/waiting-orders'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DepthRow, depthRows, toBuckets } from '../../../src/features/trading/waiting/depth.ts'
import { createTestServer, type TestServer, type Visitor } from '../../support/test-server.ts'

let server: TestServer
let taker: Visitor
let tokenId: number
let price: number
let players = 0
beforeAll(async () => {
  server = await createTestServer({ hasJobs: false })
})
afterAll(() => server?.close())
beforeEach(async () => {
  taker = await server.player(`taker${++players}`)
  tokenId = await taker.launch({ initialBuyAmount: '30' })
  price = Number((await taker.get(`/api/tokens/${tokenId}`)).json().currentPrice)
})

const at = (factor: number) => (price * factor).toFixed(18)
const newPlayer = () => server.player(`depth${++players}`)
async function place(player: Visitor, body: object): Promise<void> {
  const answer = await player.post('/api/waiting-orders', { tokenId, ...body })
  expect(answer.statusCode, answer.body).toBe(201)
}
const placeBuy = (player: Visitor, solAmount: string, factor: number) =>
  place(player, { kind: 'buy', solAmount, price: at(factor) })
/** As it is now: what was read before is too old. */
async function readDepth(): Promise<Depth> {
  server.passTime(6_000)
  return (await server.visitor().get(`/api/tokens/${tokenId}/depth`)).json()
}
const sum = (side: Depth['buys']) => side.reduce((total, { sol }) => total + Number(sol), 0)

describe('the depth of a token', () => {
  it('counts buys up to the balance once three players wait, and nothing of fewer', async () => {
    const [first, second, third] = [await newPlayer(), await newPlayer(), await newPlayer()]
    const { solBalance } = (await first.get('/api/auth/user')).json()
    for (const factor of [0.9, 0.89]) await placeBuy(first, solBalance, factor)
    await placeBuy(second, '2', 0.9)
    expect(await readDepth()).toEqual({ isShown: true, buys: [], sales: [] })
    await placeBuy(third, '1', 0.5)
    const { buys, sales } = await readDepth()
    expect(sales).toEqual([])
    expect(sum(buys)).toBe(Number(solBalance) + 3)
    expect(buys).toHaveLength(1)
    expect([Number(buys[0]?.from) < price * 0.5, Number(buys[0]?.to) > price * 0.89]).toEqual([true, true])
  })

  it('counts sales up to the bag, targets among them, and no stops', async () => {
    const sellers = [await newPlayer(), await newPlayer(), await newPlayer()]
    let expected = 0
    for (const [index, seller] of sellers.entries()) {
      const { position } = (await seller.post('/api/tokens/buy', { tokenId, solAmount: '1' })).json()
      const bag = { tokenAmount: position.amount }
      if (index === 0) await place(seller, { kind: 'bracket', ...bag, price: at(2), stopPrice: at(0.2) })
      else await place(seller, { kind: 'sale', ...bag, price: at(2) })
      await place(seller, { kind: 'sale', ...bag, price: at(3) })
      await place(seller, { kind: 'stop', ...bag, stopPrice: at(0.3) })
      expected += (Number(position.amount) * Number(at(2))) / 0.997
    }
    const { buys, sales } = await readDepth()
    expect(buys).toEqual([])
    expect(sum(sales)).toBeCloseTo(expected, 6)
  })

  it('is empty for a rugged token and where its host switched it off, and unknown for a token that is', async () => {
    for (const player of [await newPlayer(), await newPlayer(), await newPlayer()]) await placeBuy(player, '1', 0.9)
    expect((await readDepth()).buys).toHaveLength(1)
    await sql`update fairs set depth = false where id = 1`.execute(server.db)
    expect(await readDepth()).toEqual({ isShown: false, buys: [], sales: [] })
    await sql`update fairs set depth = true where id = 1`.execute(server.db)
    await taker.post(`/api/tokens/${tokenId}/rug`, {})
    expect(await readDepth()).toEqual({ isShown: true, buys: [], sales: [] })
    expect((await taker.get('/api/tokens/999999/depth')).statusCode).toBe(404)
  })

  it('reads a bounded number of orders by index', async () => {
    const { rows } = await server.db.connection().execute(async (one) => {
      await sql`set enable_seqscan = off`.execute(one)
      return await sql<{ 'QUERY PLAN': string }>`explain ${depthRows(tokenId as never)}`.execute(one)
    })
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('waiting_orders_buys_down')
    expect(plan).toContain('waiting_orders_sales_up')
    expect(plan.match(/Limit/g)).toHaveLength(2)
  })
})

describe('toBuckets', () => {
  const row = fc.record({ user_id: fc.integer({ min: 1, max: 9 }), price: fc.integer({ min: 1, max: 4_000 }) })
  it('merges until three players are in each, keeps the order, and adds up to all', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (found) => {
        const rows = found
          .toSorted((a, b) => b.price - a.price)
          .map((one): DepthRow => ({ ...one, price: `${one.price}e-9`, sol: '1', side: 'buy', is_shown: true }))
        const buckets = toBuckets(rows)
        if (new Set(found.map(({ user_id }) => user_id)).size < 3) {
          expect(buckets).toEqual([])
          return
        }
        expect(sum(buckets)).toBe(rows.length)
        for (const [index, { from, to }] of buckets.entries()) {
          const within = found.filter((one) => one.price >= Number(from) * 1e9 && one.price < Number(to) * 1e9)
          expect(new Set(within.map(({ user_id }) => user_id)).size).toBeGreaterThanOrEqual(3)
          expect(Number(buckets[index + 1]?.to ?? 0)).toBeLessThanOrEqual(Number(from))
        }
      }),
    )
  })
})
