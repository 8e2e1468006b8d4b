import { Decimal } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TradeReceipt } from '../../src/orders.ts'
import { balancedBooks, createTestMarket, readBooks, type TestMarket } from '../support/test-market.ts'

let market: TestMarket
let creator: UserId
let trader: UserId
let tokenId: TokenId
beforeEach(async () => {
  market = await createTestMarket()
  creator = await market.addPlayer()
  trader = await market.addPlayer()
  tokenId = await market.launch(creator)
  await market.buy(trader, tokenId, '10')
})
afterEach(() => market.close())

const rug = (userId: UserId, requestKey?: string) => market.engine.submit({ kind: 'rug', userId, tokenId, requestKey })

describe('a rug pull', () => {
  it('pays only the real SOL to the creator and keeps the books balanced', async () => {
    // The pool received 10 SOL, minus the fee of 0.03.
    expect(await rug(creator)).toEqual({ tokenId, ruggedAmount: '9.97', balance: '109.95' })
    const pool = await market.db
      .selectFrom('pools')
      .selectAll()
      .where('token_id', '=', tokenId)
      .executeTakeFirstOrThrow()
    expect([pool.sol_reserve, pool.virtual_sol, pool.price]).toEqual([
      '0.000000000',
      '0.000000000',
      '0.000000000000000000',
    ])
    expect(pool.rugged_at).not.toBeNull()
    expect(market.events.at(-1)).toMatchObject({
      type: 'rug_pull',
      tokenId,
      seq: 2,
      amount: '9.97',
      username: 'player-1',
    })
    const books = await readBooks(market)
    expect(books).toEqual(balancedBooks('200'))
  })

  it('says whether a bot pulled it', async () => {
    await market.engine.submit({ kind: 'rug', userId: creator, tokenId, isBot: true })
    expect(market.events.at(-1)).toMatchObject({ type: 'rug_pull', isBot: true })
    const other = await market.launch(creator)
    await market.engine.submit({ kind: 'rug', userId: creator, tokenId: other })
    expect(market.events.at(-1)).toMatchObject({ type: 'rug_pull', isBot: false })
  })

  it('closes the token permanently', async () => {
    await rug(creator)
    await expect(market.buy(trader, tokenId, '1')).rejects.toMatchObject({ code: 'TOKEN_CLOSED' })
    await expect(market.sell(trader, tokenId, '1')).rejects.toMatchObject({ code: 'TOKEN_CLOSED' })
    await expect(rug(creator)).rejects.toMatchObject({ code: 'TOKEN_CLOSED' })
  })

  it('is rejected for a hidden token as if the token did not exist', async () => {
    await market.db.updateTable('tokens').set({ hidden_at: new Date() }).where('id', '=', tokenId).execute()
    await expect(rug(creator)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
  })

  it('is rejected for all but the creator', async () => {
    await expect(rug(trader)).rejects.toMatchObject({ code: 'NOT_YOURS' })
    expect(market.events.at(-1)).toMatchObject({ type: 'trade' })
  })

  it('returns the first response to a repeat with its key', async () => {
    const first = await rug(creator, 'key')
    expect(await rug(creator, 'key')).toEqual({ ...first, isRepeat: true })
    await expect(market.buy(creator, tokenId, '1', 'key')).rejects.toMatchObject({ code: 'REQUEST_KEY_REUSED' })
  })

  it('appears in the candles as a fall to zero without volume', async () => {
    await rug(creator)
    const { rows } = await sql<{ close: string; volume: string; trades: number }>`
      select distinct close, volume, trades from candles where token_id = ${tokenId}`.execute(market.db)
    expect(rows).toHaveLength(1)
    expect([Number(rows[0]?.close), new Decimal(rows[0]?.volume ?? 0).toFixed(), rows[0]?.trades]).toEqual([0, '10', 1])
  })

  it('is carried out in order with the trades of the same batch', async () => {
    const answers = await Promise.allSettled([
      market.buy(creator, tokenId, '1'),
      rug(creator),
      market.buy(trader, tokenId, '1'),
    ])
    const done = answers.filter(({ status }) => status === 'fulfilled')
    expect(done.length).toBeGreaterThanOrEqual(2)
    expect((done[0] as PromiseFulfilledResult<TradeReceipt>).value.trade.seq).toBe(2)
    expect(await readBooks(market)).toEqual(balancedBooks('200'))
  })
})
