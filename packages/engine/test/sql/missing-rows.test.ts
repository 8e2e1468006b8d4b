import { Decimal, launchPool, parseSol, parseTokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { beforeEach, describe, expect, it } from 'vitest'
import { Market, NO_SEAL, withBalance } from '../../src/batch/market.ts'
import type { PendingOrder } from '../../src/order-queue.ts'
import type { Order } from '../../src/orders.ts'
import { findMissingRows } from '../../src/sql/statements.ts'
import { NO_BOOK } from '../../src/waiting/waiting-order.ts'

const player = 7 as UserId
const held = 1 as TokenId
const other = 2 as TokenId
const who = { userId: player }

let market: Market
beforeEach(() => {
  market = new Market()
  for (const tokenId of [held, other]) market.setPool(emptyPool(tokenId))
  market.setAccount(withBalance({ id: player, userId: player, username: 'p' }, new Decimal(100)))
})

const buy = (tokenId: TokenId) => pendingOrder({ ...who, kind: 'buy', tokenId, sol: parseSol('1') })
const sell = (tokenId: TokenId) => pendingOrder({ ...who, kind: 'sell', tokenId, tokens: parseTokens('1') })

describe('the holdings that a batch must read', () => {
  it('include every uncached holding when the player’s tokens are unknown', () => {
    expect(pairs([buy(held), sell(other)])).toEqual([held, other])
  })

  it('exclude a buy of a token the player never held', () => {
    market.setHeld(player, [held])
    expect(pairs([buy(held), buy(other)])).toEqual([held])
  })

  it('include a possible repeat, whose first attempt may have created a holding', () => {
    market.setHeld(player, [held])
    expect(pairs([{ ...buy(other), mayBeRepeat: true }])).toEqual([other])
  })

  it('include a sale of a token the player never held', () => {
    market.setHeld(player, [held])
    expect(pairs([sell(held), sell(other)])).toEqual([held, other])
  })

  it('include a newly created holding once its token is removed from the cache', () => {
    market.setHeld(player, [held])
    market.setHolding(other, player, { amount: '1', cost: '1', isRow: true })
    expect(pairs([buy(other)])).toEqual([])
    market.removeToken(other)
    market.setPool(emptyPool(other))
    expect(pairs([buy(other)])).toEqual([other])
  })

  it('include every holding of a player who was removed from the cache', () => {
    market.setHeld(player, [held])
    market.removeAccount(player)
    expect(findMissingRows(market, [buy(other)])).toEqual({
      tokenIds: [],
      accountIds: [player],
      keyIds: [],
      pairs: [{ tokenId: other, userId: player }],
    })
  })
})

describe('the memory estimate of a market', () => {
  it('returns to its start when all rows are removed', () => {
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

const pairs = (orders: readonly PendingOrder[]) => findMissingRows(market, orders).pairs.map(({ tokenId }) => tokenId)

const WAITING = {
  queuedAtMs: 0,
  takenMs: 0,
  trace: null,
  notAfterMs: Number.POSITIVE_INFINITY,
  resolve: () => {},
  reject: () => {},
}

function pendingOrder(order: Order): PendingOrder {
  return { order, requestKey: 'key', mayBeRepeat: false, ...WAITING }
}

function emptyPool(tokenId: TokenId) {
  const zero = new Decimal(0)
  const rest = { fees: zero, price: zero, seq: 0, lastEventAtMs: 0, chainHead: '', isHidden: false }
  const promised = { creatorId: 1 as UserId, seal: NO_SEAL, book: NO_BOOK, closing: null }
  return { tokenId, pool: launchPool(), ...rest, ...promised }
}
