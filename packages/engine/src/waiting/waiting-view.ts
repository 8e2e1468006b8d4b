import type { WaitingOrderView } from '@papermoon/contract/waiting-orders'
import { formatTime } from '../sql/time-text.ts'
import type { WaitingChange } from './waiting-order.ts'

/** An order as its player sees it. */
export function toWaitingView({ order, state, cause, endedAtMs }: WaitingChange): WaitingOrderView {
  const { id, tokenId, kind, fills, replaces } = order
  const hasStop = kind === 'stop' || kind === 'bracket'
  return {
    id,
    tokenId,
    kind,
    // Orders that ended without a fill lose their terms after 30 days.
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
