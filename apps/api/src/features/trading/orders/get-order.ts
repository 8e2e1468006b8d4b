import type { Order, OrderAnswer, OrderOutcome } from '@papermoon/contract/orders'
import { formatNumeric } from '@papermoon/db'
import { NotSignedInError, toSeal, type UserId } from '@papermoon/engine'
import type { App } from '../../../context.ts'
import { defineError } from '../../../errors.ts'
import { findAccountId } from '../../fairs/public.ts'
import { findPosition } from '../position.ts'
import { findByKey } from '../waiting/store.ts'
import { toOrder } from './list-orders.ts'
import { findOrder, findSettledOrder, type OrderRow } from './store.ts'

/** The player has placed no order with this key. A rejected order does not use up its idempotency key. */
class OrderNotFoundError extends defineError('NOT_FOUND', 'You have not placed an order with this idempotency key.') {}

const NOT_FILLED = {
  status: 'pending',
  tokenId: null,
  createdAt: null,
  trade: null,
  ruggedAmount: null,
  answer: null,
} as const

/**
 * Returns the outcome of a player's order by its idempotency key. Throws `OrderNotFoundError`, which is final for an
 * order sent at least `ORDER_FINAL_S` ago. Throws `BusyError` if one of the player's transactions does not end. This
 * call cannot find an order that waits on another node, so a proxy must send the call to the node that executes orders.
 */
export async function getOrder(app: App, userId: UserId, key: string): Promise<OrderOutcome> {
  const { fairs } = app.market
  const markets = fairs === undefined ? [app] : [app, fairs]
  const find = async (look: typeof findPlaced) =>
    findNewest(await Promise.all(markets.map((market) => look(market, userId, key))))
  const found = (await find(findPlaced)) ?? (await find(findLate))
  if (found === null) throw new OrderNotFoundError()
  return found
}

/** Searches one of the two markets: the fairground, or all other fairs. */
async function findPlaced(app: App, userId: UserId, key: string): Promise<OrderOutcome | null> {
  const row = await findOrder(app.platform.db, userId, key)
  if (row !== undefined) return await toFilled(app, userId, key, row)
  const waiting = await findWaitingOutcome(app, userId, key)
  if (waiting !== null) return waiting
  const kind = await app.market.engine.findPending(userId, key)
  if (kind === null || kind === 'cancel') return null
  return { ...NOT_FILLED, key, kind: kind === 'place' ? 'waiting' : kind }
}

async function findWaitingOutcome(app: App, userId: UserId, key: string): Promise<OrderOutcome | null> {
  const order = await findByKey(app.platform.db, userId, key)
  if (order === null) return null
  const { state: status, tokenId, placedAt: createdAt } = order
  return { ...NOT_FILLED, status, key, kind: 'waiting', tokenId, createdAt, waitingOrder: order }
}

async function findLate(app: App, userId: UserId, key: string): Promise<OrderOutcome | null> {
  const row = await findSettledOrder(app.platform.db, userId, key)
  return row === undefined ? await findWaitingOutcome(app, userId, key) : await toFilled(app, userId, key, row)
}

/**
 * Returns the newest order with an idempotency key from both markets. An order that is still running counts as the
 * newest one.
 */
function findNewest(found: readonly (OrderOutcome | null)[]): OrderOutcome | null {
  const timeOf = ({ createdAt }: OrderOutcome) =>
    createdAt === null ? Number.POSITIVE_INFINITY : Date.parse(createdAt)
  const [newest = null] = found.filter((outcome) => outcome !== null).sort((a, b) => timeOf(b) - timeOf(a))
  return newest
}

async function toFilled(app: App, userId: UserId, key: string, row: OrderRow): Promise<OrderOutcome> {
  const order = { ...toOrder(row), key }
  const { until, bag_until, bag_tokens } = row
  if (until === null) return { status: 'filled', ...order, answer: await toAnswer(app, userId, order) }
  const seal = toSeal({ until, bag_until, bag_tokens: bag_tokens ?? '0' })
  return { status: 'filled', ...order, answer: { tokenId: order.tokenId, seal } }
}

async function toAnswer(app: App, userId: UserId, { kind, tokenId, trade, ruggedAmount }: Order): Promise<OrderAnswer> {
  if (kind === 'launch') return { id: tokenId }
  const { balance, ...held } = await readPosition(app, userId, tokenId)
  if (trade === null) return { ruggedAmount: ruggedAmount ?? '0', balance }
  const answer = { newPrice: trade.spotPrice, trade, position: { tokenId, balance, ...held } }
  return kind === 'buy' ? { tokensOut: trade.tokenAmount, ...answer } : { solOut: trade.solAmount, ...answer }
}

/** Reads the player's holding of the token and the player's SOL. */
async function readPosition(app: App, userId: UserId, tokenId: Order['tokenId']) {
  const accountId = await findAccountId(app, userId, tokenId)
  const row = await findPosition(app.platform.db, { accountId, tokenId })
  if (row === undefined) throw new NotSignedInError()
  return {
    balance: formatNumeric(row.sol_balance),
    amount: formatNumeric(row.amount ?? '0'),
    cost: formatNumeric(row.cost ?? '0'),
  }
}
