import { Decimal, LAUNCH_FEE, type Sol } from '@papermoon/amm'
import { KeyRevokedError, SpendingLimitError } from '../errors.ts'
import type { BuyOrder, LaunchOrder, Order } from '../orders.ts'
import type { BatchRun } from './changes.ts'
import type { KeySpending } from './market.ts'

/**
 * Returns the key's spending after this order; null if the key has no limit. Throws `SpendingLimitError` and
 * `KeyRevokedError`.
 */
export function chargeKey({ market, nowMs }: BatchRun, order: Order): KeySpending | null {
  const { spendingKeyId: keyId } = order
  if (keyId === undefined || (order.kind !== 'buy' && order.kind !== 'launch')) return null
  const before = market.spending(keyId)
  if (before === undefined) throw new KeyRevokedError()
  const { day, spent } = spentToday(before, nowMs)
  const needed = computeCost(order)
  const after = spent.add(needed)
  if (after.gt(before.limit)) {
    throw new SpendingLimitError({ limit: before.limit, left: before.limit.sub(spent), needed, day })
  }
  return { ...before, spent: after, day }
}

/** Returns the SOL that a key can still spend on the day of `nowMs`. */
export function leftToSpend(key: KeySpending, nowMs: number): Sol {
  return Decimal.max(key.limit.sub(spentToday(key, nowMs).spent), 0)
}

function spentToday(key: KeySpending, nowMs: number): Pick<KeySpending, 'day' | 'spent'> {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  // Use the later day, because two nodes' clocks can differ at midnight and the sum must not start again from 0.
  const day = [today, key.day].sort().at(-1) ?? today
  return { day, spent: day === key.day ? key.spent : new Decimal(0) }
}

/**
 * Returns the SOL that counts towards the limit: a buy including its fee, or a launch including its fee and first buy.
 */
function computeCost(order: BuyOrder | LaunchOrder): Sol {
  if (order.kind === 'buy') return order.sol
  return order.initialBuy === undefined ? LAUNCH_FEE : LAUNCH_FEE.add(order.initialBuy)
}
