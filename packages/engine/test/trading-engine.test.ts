import { Decimal, estimateBuy, launchPool, parseSol, quoteBuy, solText, tokensText } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TradeReceipt } from '../src/orders.ts'
import { ENGINE_LIMITS } from '../src/trading-engine.ts'
import { aToken, balancedBooks, createTestMarket, readBooks, type TestMarket } from './support/test-market.ts'

let market: TestMarket
beforeEach(async () => {
  market = await createTestMarket()
})
afterEach(() => market.close())

describe('an order that waited too long before its batch', () => {
  it('is rejected as not placed, with and without locks, and its key stays free', async () => {
    const creator = await market.addPlayer()
    const tokenId = await market.launch(creator)
    const late = market.openEngine({ ...ENGINE_LIMITS, beginMaxMs: 0 })
    const buy = { kind: 'buy', userId: creator, tokenId, sol: parseSol('1'), requestKey: 'late' } as const
    await expect(late.submit(buy)).rejects.toMatchObject({ code: 'BUSY' })
    const launch = { kind: 'launch', userId: creator, token: aToken } as const
    await expect(late.submit(launch)).rejects.toMatchObject({ code: 'BUSY' })
    expect((await market.engine.submit(buy)).trade.seq).toBe(1)
    expect(await readBooks(market)).toEqual(balancedBooks('100'))
  })
})

describe('a launch', () => {
  it('charges 0.02 SOL and pools the whole supply with 30 virtual SOL', async () => {
    const creator = await market.addPlayer()
    const { tokenId, balance, initialTrade } = await market.engine.submit({
      kind: 'launch',
      userId: creator,
      token: aToken,
    })
    expect(balance).toBe('99.98')
    expect(initialTrade).toBeNull()
    const pool = await market.db
      .selectFrom('pools')
      .selectAll()
      .where('token_id', '=', tokenId)
      .executeTakeFirstOrThrow()
    expect([pool.sol_reserve, pool.virtual_sol, pool.token_reserve, pool.price, pool.seq]).toEqual([
      '30.000000000',
      '30.000000000',
      '1000000000.000000',
      '0.000000030000000000',
      0,
    ])
    expect(market.events.map(({ type, tokenId: id }) => [type, id])).toEqual([['token_launched', tokenId]])
    expect(await readBooks(market)).toEqual(balancedBooks('100'))
  })

  it('makes the first buy in the same transaction, at the price of a new pool', async () => {
    const creator = await market.addPlayer()
    const { initialTrade, balance } = await market.engine.submit({
      kind: 'launch',
      userId: creator,
      token: aToken,
      initialBuy: parseSol('2'),
    })
    const quote = quoteBuy(launchPool(), parseSol('2'))
    expect(initialTrade).toMatchObject({
      seq: 1,
      side: 'buy',
      solAmount: '2',
      tokenAmount: tokensText(quote.tokensOut),
    })
    expect(balance).toBe('97.98')
    expect(market.events.map(({ type }) => type)).toEqual(['token_launched', 'trade'])
    expect(await readBooks(market)).toEqual(balancedBooks('100'))
  })

  it('is rejected entirely if the creator cannot pay the first buy', async () => {
    const creator = await market.addPlayer()
    await expect(market.launch(creator, '99.99')).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: { available: '100', needed: '100.01' },
    })
    expect(await market.db.selectFrom('tokens').selectAll().execute()).toEqual([])
    expect(market.events).toEqual([])
    expect(await readBooks(market)).toEqual(balancedBooks('100'))
  })

  it('is executed once when repeated with its key', async () => {
    const creator = await market.addPlayer()
    const order = {
      kind: 'launch',
      userId: creator,
      token: aToken,
      initialBuy: parseSol('1'),
      requestKey: 'k',
    } as const
    const first = await market.engine.submit(order)
    const again = await market.engine.submit(order)
    expect(again).toEqual({ ...first, isRepeat: true })
    await expect(market.engine.submit({ ...order, token: { ...aToken, name: 'Other' } })).rejects.toMatchObject({
      code: 'REQUEST_KEY_REUSED',
    })
    expect(await market.db.selectFrom('tokens').select('id').execute()).toHaveLength(1)
  })
})

describe('a trade', () => {
  let creator: UserId
  let trader: UserId
  let tokenId: TokenId
  beforeEach(async () => {
    creator = await market.addPlayer()
    trader = await market.addPlayer()
    tokenId = await market.launch(creator)
  })

  it('matches the AMM quote to the last unit and publishes its event after the commit', async () => {
    const quote = quoteBuy(launchPool(), parseSol('1.5'))
    const { trade, position } = (await market.buy(trader, tokenId, '1.5')) as TradeReceipt
    expect(trade).toMatchObject({
      tokenAmount: tokensText(quote.tokensOut),
      fee: solText(quote.fee),
      spotPrice: quote.spotAfter.toFixed(),
      username: 'player-2',
    })
    expect(position).toEqual({ balance: '98.5', amount: tokensText(quote.tokensOut), cost: '1.5' })
    expect(market.events.at(-1)).toMatchObject({ type: 'trade', tokenId, seq: 1, holding: position.amount, trade })
    // The specification's estimate without a fee is higher.
    const promised = estimateBuy(new Decimal(30), new Decimal(1_000_000_000), new Decimal('1.5'))
    expect(promised.gt(trade.tokenAmount)).toBe(true)
  })

  it('leaves no amount and no cost if the whole holding is sold', async () => {
    const { position: held } = (await market.buy(trader, tokenId, '5')) as TradeReceipt
    const { position, trade } = (await market.sell(trader, tokenId, held.amount)) as TradeReceipt
    expect(position.amount).toBe('0')
    expect(position.cost).toBe('0')
    expect(new Decimal(position.balance).eq(new Decimal('95').add(trade.solAmount))).toBe(true)
    const volume = new Decimal(trade.solAmount).add(trade.fee).toFixed()
    expect(market.events.at(-1)).toMatchObject({ type: 'trade', volume })
    expect(await readBooks(market)).toEqual(balancedBooks('200'))
  })

  it.each([
    ['more SOL than the balance', () => market.buy(trader, tokenId, '100.000000001'), 'INSUFFICIENT_BALANCE'],
    ['more tokens than held', () => market.sell(trader, tokenId, '1'), 'INSUFFICIENT_TOKENS'],
    ['an unknown token', () => market.buy(trader, 999_999 as TokenId, '1'), 'TOKEN_NOT_FOUND'],
    ['an unknown player', () => market.buy(999_999 as UserId, tokenId, '1'), 'NOT_SIGNED_IN'],
    ['one lamport, all of it fee', () => market.buy(trader, tokenId, '0.000000001'), 'OUTPUT_IS_ZERO'],
    [
      'less output than the minimum',
      () =>
        market.engine.submit({
          kind: 'buy',
          userId: trader,
          tokenId,
          sol: parseSol('1'),
          minTokensOut: new Decimal(40_000_000),
        }),
      'SLIPPAGE_EXCEEDED',
    ],
  ])('refuses %s and changes nothing', async (_, order, code) => {
    await expect(order()).rejects.toMatchObject({ code })
    expect(await market.db.selectFrom('trades').selectAll().execute()).toEqual([])
    expect(await readBooks(market)).toEqual(balancedBooks('200'))
  })

  it('says how many tokens a player holds if the player tries to sell more', async () => {
    await expect(market.sell(trader, tokenId, '1')).rejects.toMatchObject({ details: { available: '0', needed: '1' } })
  })

  it('rejects one order of a batch without affecting the others', async () => {
    const answers = await Promise.allSettled([
      market.buy(creator, tokenId, '1'),
      market.buy(trader, tokenId, '500'),
      market.buy(trader, tokenId, '2'),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('never goes back in time if the clock jumps back an hour', async () => {
    let now = Date.parse('2026-01-01T12:00:00Z')
    const turned = await createTestMarket({ clock: { now: () => new Date(now) } })
    try {
      const player = await turned.addPlayer()
      const token = await turned.launch(player)
      const first = (await turned.buy(player, token, '1')) as TradeReceipt
      now -= 3_600_000
      const second = (await turned.buy(player, token, '1')) as TradeReceipt
      expect(second.trade.createdAt).toBe(first.trade.createdAt)
      expect(second.trade.seq).toBe(2)
    } finally {
      await turned.close()
    }
  })
})

describe('an idempotency key', () => {
  let trader: UserId
  let tokenId: TokenId
  beforeEach(async () => {
    trader = await market.addPlayer()
    tokenId = await market.launch(trader)
  })

  it('sent fifty times at once trades once, and every caller gets the same response', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => market.buy(trader, tokenId, '1', 'same')))
    const [first, ...repeats] = answers
    expect(first?.isRepeat).toBeUndefined()
    for (const repeat of repeats) expect(repeat).toEqual({ ...first, isRepeat: true })
    expect(await market.db.selectFrom('trades').select('id').execute()).toHaveLength(1)
  })

  it('returns the first response from another engine after the price moved', async () => {
    const first = (await market.buy(trader, tokenId, '1', 'key')) as TradeReceipt
    await market.buy(trader, tokenId, '3')
    const other = market.openEngine()
    const again = await other.submit({ kind: 'buy', userId: trader, tokenId, sol: parseSol('1'), requestKey: 'key' })
    expect(again.trade).toEqual(first.trade)
  })

  it('returns the first response even beside a different order with the same key', async () => {
    const first = await market.buy(trader, tokenId, '1', 'key')
    const other = market.buy(trader, tokenId, '2', 'key')
    const again = market.buy(trader, tokenId, '1', 'key')
    await expect(other).rejects.toMatchObject({ code: 'REQUEST_KEY_REUSED' })
    expect((await again).trade).toEqual(first.trade)
  })

  it('gets BUSY for more than a few different orders at once', async () => {
    const amounts = Array.from({ length: 12 }, (_, index) => `1.${index + 1}1`)
    const answers = await Promise.allSettled(amounts.map((sol) => market.buy(trader, tokenId, sol, 'key')))
    const codes = answers.map((answer) => (answer.status === 'fulfilled' ? 'done' : answer.reason.code))
    expect(codes).toEqual(['done', ...new Array(8).fill('REQUEST_KEY_REUSED'), ...new Array(3).fill('BUSY')])
  })

  it('is rejected for a different order, at once and later', async () => {
    const first = market.buy(trader, tokenId, '1', 'key')
    await expect(market.buy(trader, tokenId, '2', 'key')).rejects.toMatchObject({ code: 'REQUEST_KEY_REUSED' })
    await first
    await expect(market.buy(trader, tokenId, '2', 'key')).rejects.toMatchObject({ code: 'REQUEST_KEY_REUSED' })
    await expect(market.sell(trader, tokenId, '1', 'key')).rejects.toMatchObject({ code: 'REQUEST_KEY_REUSED' })
  })

  it('can be used to find its order while it is pending', async () => {
    const answer = market.buy(trader, tokenId, '1', 'key')
    expect(await market.engine.findPending(trader, 'key')).toBe('buy')
    await answer
    expect(await market.engine.findPending(trader, 'key')).toBeNull()
    await expect(market.buy(trader, tokenId, '500', 'other')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    expect(await market.engine.findPending(trader, 'other')).toBeNull()
  })

  it('is separate for each player', async () => {
    const other = await market.addPlayer()
    await market.buy(trader, tokenId, '1', 'key')
    await market.buy(other, tokenId, '2', 'key')
    expect(await market.db.selectFrom('trades').select('id').execute()).toHaveLength(2)
  })

  it('can be used again after a rejected order', async () => {
    await expect(market.buy(trader, tokenId, '500', 'key')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await expect(market.buy(trader, tokenId, '1', 'key')).resolves.toBeDefined()
  })
})
