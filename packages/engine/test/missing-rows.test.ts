import { Decimal, launchPool, parseSol, parseTokens } from '@papermoon/amm'
import { beforeEach, describe, expect, it } from 'vitest'
import { Market, withBalance } from '../src/batch/market.ts'
import type { TokenId, UserId } from '../src/ids.ts'
import type { Order } from '../src/orders.ts'
import type { PendingOrder } from '../src/pending-order.ts'
import { missingRows } from '../src/sql/missing-rows.ts'

const player = 7 as UserId
const held = 1 as TokenId
const other = 2 as TokenId
const who = { userId: player }

let market: Market
beforeEach(() => {
  market = new Market()
  for (const tokenId of [held, other]) market.setPool(poolOf(tokenId))
  market.setAccount(withBalance({ userId: player, username: 'p' }, new Decimal(100)))
})

const buy = (tokenId: TokenId) => pendingOrder({ ...who, kind: 'buy', tokenId, sol: parseSol('1') })
const sell = (tokenId: TokenId) => pendingOrder({ ...who, kind: 'sell', tokenId, tokens: parseTokens('1') })

describe('the holdings that a batch has to read', () => {
  it('are all that are not known, of a player of whom nothing else is known', () => {
    expect(pairs([buy(held), sell(other)])).toEqual([held, other])
  })

  it('are not those of tokens that a player never held and buys', () => {
    market.setHeld(player, [held])
    expect(pairs([buy(held), buy(other)])).toEqual([held])
  })

  it('are those of an order that may be a repeat, whose first answer may have been a holding', () => {
    market.setHeld(player, [held])
    expect(pairs([{ ...buy(other), mayBeRepeat: true }])).toEqual([other])
  })

  it('are those of tokens that a player never held and sells', () => {
    market.setHeld(player, [held])
    expect(pairs([sell(held), sell(other)])).toEqual([held, other])
  })

  it('are those that a player began to hold, once they are forgotten', () => {
    market.setHeld(player, [held])
    market.setHolding(other, player, { amount: '1', cost: '1', isRow: true })
    expect(pairs([buy(other)])).toEqual([])
    market.removeToken(other)
    market.setPool(poolOf(other))
    expect(pairs([buy(other)])).toEqual([other])
  })

  it('are all again of a player who was forgotten', () => {
    market.setHeld(player, [held])
    market.removeAccount(player)
    expect(missingRows(market, [buy(other)])).toEqual({
      tokenIds: [],
      userIds: [player],
      pairs: [{ tokenId: other, userId: player }],
    })
  })
})

describe('the room that a market takes', () => {
  it('is given back by what is forgotten', () => {
    const before = new Market().bytes
    market.setHeld(player, [held])
    market.setHolding(held, player, { amount: '1', cost: '1', isRow: true })
    market.setHolding(other, player, { amount: '1', cost: '1', isRow: true })
    market.removeToken(held)
    market.removeToken(other)
    market.removeAccount(player)
    expect(market.bytes).toBe(before)
  })
})

const pairs = (orders: readonly PendingOrder[]) => missingRows(market, orders).pairs.map(({ tokenId }) => tokenId)

function pendingOrder(order: Order): PendingOrder {
  return { order, requestKey: 'key', mayBeRepeat: false, queuedAtMs: 0, resolve: () => {}, reject: () => {} }
}

function poolOf(tokenId: TokenId) {
  const nothing = new Decimal(0)
  const figures = { fees: nothing, price: nothing, seq: 0, lastEventAtMs: 0, chainHead: '', isHidden: false }
  return { tokenId, pool: launchPool(), ...figures }
}
