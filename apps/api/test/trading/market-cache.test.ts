import { parseSol, parseTokens } from '@papermoon/amm'
import type { TokenId, TradingEngine, UserId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'

let market: TestMarket
let one: UserId
let other: UserId
let token: TokenId
/** Another node with the same database and its own market cache. */
let elsewhere: TradingEngine
beforeAll(async () => {
  market = await createTestMarket()
  elsewhere = market.openEngine()
})
afterAll(() => market?.close())
beforeEach(async () => {
  one = await market.addPlayer()
  other = await market.addPlayer()
  token = await market.launch(one)
})

async function expectExact(): Promise<void> {
  expect(await auditMarket(market.pool)).toMatchObject({ differences: 0, shown: [] })
}

describe('the market cache', () => {
  it('is not used after the player traded another token on another node', async () => {
    const another = await market.launch(one)
    await market.buy(one, token, '1')
    await elsewhere.submit({ kind: 'buy', userId: one, tokenId: another, sol: parseSol('98') })
    // The player had 100 SOL and paid for two launches, 1 SOL and 98 SOL.
    await expect(market.buy(one, token, '1')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    expect((await market.buy(one, token, '0.96')).position.balance).toBe('0')
    await expectExact()
  })

  it('does not refuse an order after the balance was changed elsewhere', async () => {
    await market.buy(one, token, '99')
    await expect(market.buy(one, token, '5')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await sql`with granted as (insert into grants (user_id, kind, amount) values (${one}, 'reset', 50))
      update accounts set sol_balance = sol_balance + 50 where user_id = ${one}`.execute(market.db)
    expect((await market.buy(one, token, '5')).position.balance).toBe('45.98')
    await expectExact()
  })

  it('is not used after an operator hid the token', async () => {
    const { trade } = await market.buy(one, token, '1')
    await sql`update tokens set hidden_at = now() where id = ${token}`.execute(market.db)
    await expect(market.buy(one, token, '1')).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
    await market.sell(one, token, trade.tokenAmount)
    await expect(market.buy(one, token, '1')).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
    await sql`update tokens set hidden_at = null where id = ${token}`.execute(market.db)
    await expect(market.buy(one, token, '1')).resolves.toBeDefined()
  })

  it('is not used after the token was rugged elsewhere', async () => {
    await market.buy(other, token, '1')
    await elsewhere.submit({ kind: 'rug', userId: one, tokenId: token })
    await expect(market.buy(other, token, '1')).rejects.toMatchObject({ code: 'TOKEN_CLOSED' })
    await expectExact()
  })

  it('includes batches that are still being written, so each order sees earlier ones', async () => {
    const buys = await Promise.all(Array.from({ length: 8 }, () => market.buy(one, token, '10')))
    const balances = buys.map(({ position }) => position.balance)
    expect(balances).toEqual(['89.98', '79.98', '69.98', '59.98', '49.98', '39.98', '29.98', '19.98'])
    const held = buys.at(-1)?.position.amount ?? '0'
    expect((await market.sell(one, token, held)).position.amount).toBe('0')
    await expectExact()
  })

  it('does not duplicate a holding created by another node when the balance is unchanged', async () => {
    const another = await market.launch(one)
    // Let this node cache the balance, but not the other token's holding.
    await market.buy(other, token, '1')
    const first = await elsewhere.submit({ kind: 'buy', userId: other, tokenId: another, sol: parseSol('2') })
    await sql`with granted as (insert into grants (user_id, kind, amount) values (${other}, 'reset', 2))
      update accounts set sol_balance = sol_balance + 2 where user_id = ${other}`.execute(market.db)
    const { position, trade } = await market.buy(other, another, '1')
    expect(position.balance).toBe('98')
    expect(parseTokens(position.amount)).toEqual(parseTokens(first.trade.tokenAmount).add(trade.tokenAmount))
    expect((await market.sell(other, another, position.amount)).position.amount).toBe('0')
    await expectExact()
  })

  it('does not answer a repeat when the balance equals that before the first order', async () => {
    const another = await market.launch(one)
    const poor = await market.addPlayer('1')
    // Let this node cache the balance of 1 SOL without a holding.
    await expect(market.buy(poor, token, '2')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    const order = { kind: 'buy', userId: poor, tokenId: another, sol: parseSol('1'), requestKey: 'once' } as const
    const first = await elsewhere.submit(order)
    await sql`with granted as (insert into grants (user_id, kind, amount) values (${poor}, 'reset', 1))
      update accounts set sol_balance = sol_balance + 1 where user_id = ${poor}`.execute(market.db)
    const again = await market.engine.submit(order)
    expect(again.trade).toEqual(first.trade)
    expect(again.position).toEqual({ ...first.position, balance: '1' })
  })

  const keys = ['null', 'a"b', 'a\\b', '{a,b}', '\\"', 'é 🌙', ',', '}']

  it('writes keys with any characters, in one batch', async () => {
    const ids = await Promise.all(keys.map(async (key) => (await market.buy(one, token, '1', key)).trade.id))
    expect(await storedKeys()).toEqual(keys.map((key, i) => [ids[i], key]))
    const again = await Promise.all(keys.map(async (key) => (await market.buy(one, token, '1', key)).trade.id))
    expect(again).toEqual(ids)
  })

  async function storedKeys() {
    const trades = market.db.selectFrom('trades').select(['id', 'request_key']).where('user_id', '=', one)
    const rows = await trades.orderBy('id').execute()
    return rows.map(({ id, request_key }) => [id, request_key])
  }
})
