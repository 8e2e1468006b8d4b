import type { ListOrdersInput, Order, OrderPage } from '@papermoon/contract/orders'
import { formatNumeric } from '@papermoon/db'
import { toTrade, type UserId } from '@papermoon/engine'
import type { App } from '../../../context.ts'
import { BadInputError } from '../../../errors.ts'
import { findOrders, type OrderCursor, type OrderRow } from './store.ts'

/** Lists a player's orders, newest first. Throws `BadInputError` for an invalid cursor. */
export async function listOrders(app: App, userId: UserId, input: ListOrdersInput): Promise<OrderPage> {
  const { tokenId, limit, cursor, from, to } = input
  const before = cursor === undefined ? null : parseCursor(cursor)
  // Read one extra row to find out whether there is a next page.
  const rows = await findOrders(app.platform.db, { userId, tokenId, range: { from, to }, before, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    orders: page.map(toOrder),
    nextCursor: rows.length > limit && last !== undefined ? formatCursor(last) : null,
  }
}

export function toOrder(row: OrderRow): Order {
  return {
    key: row.request_key,
    kind: row.kind,
    tokenId: row.token_id,
    createdAt: row.created_at.toISOString(),
    trade: row.id === null ? null : toTrade(row),
    ruggedAmount: row.rugged_amount === null ? null : formatNumeric(row.rugged_amount),
  }
}

const CURSOR = /^(\d{1,15})-([1234])-(\d{1,15})$/

function formatCursor({ created_at, place, order_id }: OrderRow): string {
  return `${created_at.getTime()}-${place}-${order_id}`
}

function parseCursor(text: string): OrderCursor {
  const [, at, place, id] = CURSOR.exec(text) ?? []
  if (at === undefined) throw new BadInputError('cursor is not one that this list gave.')
  return { at: new Date(Number(at)), place: Number(place), id: Number(id) }
}
