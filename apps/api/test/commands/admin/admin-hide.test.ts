import type { TokenId, UserId } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hide, unhide } from '../../../src/commands/admin/hide.ts'
import { readSeq } from '../../../src/events/journal.ts'
import { auditMarket } from '../../../src/features/audit/audit-market.ts'

let market: TestMarket
let creator: UserId
let tokenId: TokenId
beforeEach(async () => {
  market = await createTestMarket()
  creator = await market.addPlayer()
  tokenId = await market.launch(creator, '2')
  await hide(market, String(tokenId))
})
afterEach(() => market.close())

const rug = () => market.engine.submit({ kind: 'rug', userId: creator, tokenId })

describe('a hidden token', () => {
  it('cannot be bought or rugged, not even by its creator', async () => {
    await expect(market.buy(creator, tokenId, '1')).rejects.toThrow(TokenNotFoundError)
    await expect(rug()).rejects.toThrow(TokenNotFoundError)
  })

  it('can be sold completely, and its books stay exact', async () => {
    const { amount } = await market.db.selectFrom('holdings').select('amount').executeTakeFirstOrThrow()
    expect(await market.sell(creator, tokenId, amount)).toMatchObject({ position: { amount: '0', cost: '0' } })
    expect(await auditMarket(market.pool)).toMatchObject({ trades: 2, shown: [] })
  })

  it('does not make orders for other tokens of the same batch fail', async () => {
    const other = await market.launch(creator)
    const [hidden, open] = await Promise.allSettled([
      market.buy(creator, tokenId, '1'),
      market.buy(creator, other, '1'),
    ])
    expect([hidden.status, open.status]).toEqual(['rejected', 'fulfilled'])
  })

  it('has no live feed for a new subscriber', async () => {
    expect(await readSeq(market.db, tokenId)).toBeNull()
  })

  it('works as before when it is unhidden', async () => {
    await unhide(market, String(tokenId))
    expect(await readSeq(market.db, tokenId)).toBe(1)
    await market.buy(creator, tokenId, '1')
    expect(await rug()).toMatchObject({ tokenId })
    expect(await auditMarket(market.pool)).toMatchObject({ trades: 2, rugs: 1, shown: [] })
  })
})
