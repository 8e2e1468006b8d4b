import type { Depth } from '@papermoon/contract/waiting-orders'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { toBuckets } from '../../../src/features/trading/waiting/depth.ts'
import { type DepthRow, depthRows } from '../../../src/features/trading/waiting/store.ts'
import { shareTestServer, type Visitor } from '../../support/test-server.ts'
import { openWaitingMarket, type WaitingMarket } from '../../support/waiting-market.ts'

let market: WaitingMarket
const server = await shareTestServer({ hasJobs: false })
beforeEach(async () => {
  market = await openWaitingMarket(server)
})

const placeBuy = (player: Visitor, solAmount: string, factor: number) =>
  market.place({ kind: 'buy', solAmount, price: market.at(factor) }, player)
/** Reads the current depth, after the cached one has expired. */
async function readDepth(): Promise<Depth> {
  server.passTime(6_000)
  return (await server.visitor().get(`/api/tokens/${market.tokenId}/depth`)).json()
}
const sum = (side: Depth['buys']) => side.reduce((total, { sol }) => total + Number(sol), 0)

describe('the depth of a token', () => {
  it('counts buys up to the balance once three players wait, and shows nothing of fewer', async () => {
    const [first, second, third] = [await server.player(), await server.player(), await server.player()]
    const { solBalance } = (await first.get('/api/auth/user')).json()
    for (const factor of [0.9, 0.89]) await placeBuy(first, solBalance, factor)
    await placeBuy(second, '2', 0.9)
    expect(await readDepth()).toEqual({ isShown: true, buys: [], sales: [] })
    await placeBuy(third, '1', 0.5)
    const { buys, sales } = await readDepth()
    expect(sales).toEqual([])
    expect(sum(buys)).toBe(Number(solBalance) + 3)
    expect(buys).toHaveLength(1)
    expect([Number(buys[0]?.from) < Number(market.at(0.5)), Number(buys[0]?.to) > Number(market.at(0.89))]).toEqual([
      true,
      true,
    ])
  })

  it('counts sales up to the holding, including targets, but no stops', async () => {
    const { at, place, tokenId } = market
    const sellers = [await server.player(), await server.player(), await server.player()]
    let expected = 0
    for (const [index, seller] of sellers.entries()) {
      const { position } = (await seller.post('/api/tokens/buy', { tokenId, solAmount: '1' })).json()
      const bag = { tokenAmount: position.amount }
      if (index === 0) await place({ kind: 'bracket', ...bag, price: at(2), stopPrice: at(0.2) }, seller)
      else await place({ kind: 'sale', ...bag, price: at(2) }, seller)
      await place({ kind: 'sale', ...bag, price: at(3) }, seller)
      await place({ kind: 'stop', ...bag, stopPrice: at(0.3) }, seller)
      expected += (Number(position.amount) * Number(at(2))) / 0.997
    }
    const { buys, sales } = await readDepth()
    expect(buys).toEqual([])
    expect(sum(sales)).toBeCloseTo(expected, 6)
  })

  it('is empty for a rugged token or if the host turned it off, and 404 for an unknown token', async () => {
    for (const player of [await server.player(), await server.player(), await server.player()])
      await placeBuy(player, '1', 0.9)
    expect((await readDepth()).buys).toHaveLength(1)
    await sql`update fairs set depth = false where id = 1`.execute(server.db)
    expect(await readDepth()).toEqual({ isShown: false, buys: [], sales: [] })
    await sql`update fairs set depth = true where id = 1`.execute(server.db)
    await market.taker.post(`/api/tokens/${market.tokenId}/rug`, {})
    expect(await readDepth()).toEqual({ isShown: true, buys: [], sales: [] })
    expect((await market.taker.get('/api/tokens/999999/depth')).statusCode).toBe(404)
  })

  it('reads a limited number of orders by index', async () => {
    const { rows } = await server.db.connection().execute(async (one) => {
      await sql`set enable_seqscan = off`.execute(one)
      return await sql<{ 'QUERY PLAN': string }>`explain ${depthRows(market.tokenId as never)}`.execute(one)
    })
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('waiting_orders_buys_down')
    expect(plan).toContain('waiting_orders_sales_up')
    expect(plan.match(/Limit/g)).toHaveLength(2)
  })
})

describe('toBuckets', () => {
  const row = fc.record({ user_id: fc.integer({ min: 1, max: 9 }), price: fc.integer({ min: 1, max: 4_000 }) })
  it('merges until each bucket has three players, keeps the order, and adds up to all', () => {
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
