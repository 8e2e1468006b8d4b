import type { WaitingOrderView } from '@papermoon/contract/waiting-orders'
import { formatTime } from '../sql/time-text.ts'
import type { WaitingChange } from './waiting-order.ts'

/** Converts an order to the object that its player gets. */
export function toWaitingView({ order, state, cause, endedAtMs }: WaitingChange): WaitingOrderView {
  const { id, tokenId, kind, fills, replaces } = order
  const hasStop = kind === 'stop' || kind === 'bracket'
  return {
    id,
    tokenId,
    kind,
    // The amount is null if the order ended without a fill over 30 days ago, because such orders lose their terms.
    amount: order.amount.isZero() ? null : order.amount.toFixed(),
    left: order.left.toFixed(),
    price: order.price?.toFixed() ?? null,
    stopPrice: order.stopPrice?.toFixed() ?? null,
    leastPrice: order.leastPrice?.toFixed() ?? null,
    below: order.below?.toFixed() ?? null,
    above: order.above?.toFixed() ?? null,
    isTriggered: hasStop && order.below === null,
    fills,
    state,
    cause,
    key: order.requestKey,
    replaces,
    placedAt: formatTime(order.placedAtMs),
    expiresAt: formatTime(order.expiresAtMs),
    endedAt: endedAtMs === null ? null : formatTime(endedAtMs),
  }
}
