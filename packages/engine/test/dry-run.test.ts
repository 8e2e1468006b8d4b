import { Decimal, parseSol, parseTokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BuyOrder, Order, SellOrder, TradeReceipt } from '../src/orders.ts'
import { quoteLaunch, quoteTrade } from '../src/quote-order.ts'
import { aToken, createTestMarket, type TestMarket } from './support/test-market.ts'

const clock = { now: () => new Date('2026-11-22T12:00:00Z') }

let market: TestMarket
let player: UserId
let token: TokenId
beforeAll(async () => {
  market = await createTestMarket({ clock })
  const creator = await market.addPlayer('100000')
  token = await market.launch(creator, '5')
  player = await market.addPlayer('100000')
  await market.buy(player, token, '50')
})
afterAll(() => market.close())

async function readTables(): Promise<unknown> {
  const tables = ['tokens', 'pools', 'accounts', 'holdings', 'trades', 'rugs', 'closed_candles', 'api_keys']
  const reads = tables.map(
    (table) => sql`select ${table} as name, json_agg(t order by t::text)::text from ${sql.table(table)} t`,
  )
  return (await sql`${sql.join(reads, sql` union all `)}`.execute(market.db)).rows
}

/** Reads the current pool, for a quote. */
async function readPool() {
  const { sol_reserve, virtual_sol, token_reserve, seq } = await market.db
    .selectFrom('pools')
    .select(['sol_reserve', 'virtual_sol', 'token_reserve', 'seq'])
    .where('token_id', '=', token)
    .executeTakeFirstOrThrow()
  const pool = {
    sol: new Decimal(sol_reserve),
    virtualSol: new Decimal(virtual_sol),
    tokens: new Decimal(token_reserve),
  }
  return { tokenId: token, pool, seq }
}

const someSol = fc.integer({ min: 1_000, max: 2_000_000_000 }).map((lamports) => new Decimal(lamports).div(1e9))
const someTokens = fc.integer({ min: 1_000, max: 900_000_000 }).map((units) => new Decimal(units).div(1e3))

describe('a quote and a dry run', () => {
  it('have exactly the figures of the same order if nobody trades in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          someSol.map((sol) => ({ sol })),
          someTokens.map((tokens) => ({ tokens })),
        ),
        async (asked) => {
          const who = { userId: player, tokenId: token }
          const order: BuyOrder | SellOrder =
            'sol' in asked ? { kind: 'buy', ...who, ...asked } : { kind: 'sell', ...who, ...asked }
          const quote = quoteTrade(await readPool(), order)
          const dry = await market.engine.dryRun(order)
          const { trade, position } = (await market.engine.submit(order)) as TradeReceipt
          expect(dry.receipt).toEqual({ trade: { ...trade, id: 0 }, position })
          expect(quote).toMatchObject({
            seq: trade.seq - 1,
            solAmount: trade.solAmount,
            tokenAmount: trade.tokenAmount,
            fee: trade.fee,
            price: trade.price,
            newPrice: trade.spotPrice,
          })
          expect(market.events.at(-1)).toMatchObject({ type: 'trade', marketCap: quote.newMarketCap })
        },
      ),
      { numRuns: 40 },
    )
  })

  it('of a launch have the figures of its first buy', async () => {
    const order: Order = { kind: 'launch', userId: player, token: aToken, initialBuy: parseSol('2.5') }
    const quote = quoteLaunch(order.initialBuy)
    const dry = await market.engine.dryRun(order)
    const receipt = await market.engine.submit(order)
    const { initialTrade } = receipt as typeof dry.receipt & { initialTrade: { spotPrice: string } }
    expect(dry.receipt).toMatchObject({ tokenId: 0, initialTrade: { ...initialTrade, id: 0, tokenId: 0 } })
    expect(quote).toMatchObject({ seq: 0, newPrice: initialTrade.spotPrice, launchFee: '0.02' })
    expect(quoteLaunch(undefined)).toMatchObject({ solAmount: '0', newPrice: quote.currentPrice, newMarketCap: '30' })
  })
})

describe('a dry run', () => {
  const buy = (more: Partial<Order> = {}) =>
    ({ kind: 'buy', userId: player, tokenId: token, sol: parseSol('1'), ...more }) as Order

  it('writes nothing, publishes nothing and uses no id', async () => {
    const [before, published] = [await readTables(), market.events.length]
    await market.engine.dryRun(buy())
    await market.engine.dryRun({ kind: 'launch', userId: player, token: aToken, initialBuy: parseSol('1') })
    await market.engine.dryRun({ kind: 'sell', userId: player, tokenId: token, tokens: parseTokens('1') })
    expect(await readTables()).toEqual(before)
    expect(market.events).toHaveLength(published)
    const first = await market.launch(player)
    await market.engine.dryRun({ kind: 'launch', userId: player, token: aToken })
    expect(await market.launch(player)).toBe(first + 1)
  })

  it('uses up no idempotency key', async () => {
    await market.engine.dryRun(buy({ requestKey: 'dry' }))
    const { trade } = (await market.engine.submit(buy({ requestKey: 'dry', sol: parseSol('2') }))) as TradeReceipt
    expect(trade.solAmount).toBe('2')
    await expect(market.engine.dryRun(buy({ requestKey: 'dry' }))).rejects.toMatchObject({ code: 'REQUEST_KEY_REUSED' })
    const repeat = await market.engine.dryRun(buy({ requestKey: 'dry', sol: parseSol('2') }))
    expect(repeat).toMatchObject({ receipt: { trade: { id: trade.id }, isRepeat: true }, events: [] })
  })

  it('is rejected like the order', async () => {
    const poor = await market.addPlayer('0.5')
    const rugged = await market.launch(player)
    await market.engine.dryRun({ kind: 'rug', userId: player, tokenId: rugged })
    await market.engine.submit({ kind: 'rug', userId: player, tokenId: rugged })
    const cases: [Order, string][] = [
      [buy({ userId: poor }), 'INSUFFICIENT_BALANCE'],
      [{ kind: 'sell', userId: poor, tokenId: token, tokens: parseTokens('1') }, 'INSUFFICIENT_TOKENS'],
      [buy({ minTokensOut: parseTokens('999999999') } as Partial<Order>), 'SLIPPAGE_EXCEEDED'],
      [
        { kind: 'sell', userId: player, tokenId: token, tokens: parseTokens('1'), minSolOut: parseSol('1') },
        'SLIPPAGE_EXCEEDED',
      ],
      [buy({ tokenId: rugged } as Partial<Order>), 'TOKEN_CLOSED'],
      [buy({ tokenId: 999_999 as TokenId } as Partial<Order>), 'TOKEN_NOT_FOUND'],
      [{ kind: 'rug', userId: poor, tokenId: token }, 'NOT_YOURS'],
      [{ kind: 'rug', userId: player, tokenId: rugged }, 'TOKEN_CLOSED'],
      [{ kind: 'launch', userId: poor, token: aToken, initialBuy: parseSol('0.5') }, 'INSUFFICIENT_BALANCE'],
      [buy({ userId: 999_999 as UserId }), 'NOT_SIGNED_IN'],
      [buy({ spendingKeyId: 999_999 }), 'API_KEY_INVALID'],
    ]
    for (const [order, code] of cases) await expect(market.engine.dryRun(order)).rejects.toMatchObject({ code })
  })

  it('is rejected while the player has too many pending orders, and does not count as one itself', async () => {
    const trader = await market.addPlayer()
    const order = buy({ userId: trader, sol: parseSol('0.1') } as Partial<Order>)
    const dryRuns = Array.from({ length: 9 }, () => market.engine.dryRun(order))
    const orders = Array.from({ length: 8 }, () => market.engine.submit(order))
    const late = market.engine.dryRun(order)
    await expect(late).rejects.toMatchObject({ code: 'TOO_MANY_ORDERS' })
    expect(await Promise.all([...dryRuns, ...orders])).toHaveLength(17)
  })
})
