import type { App } from '../../context.ts'
import type { Trade } from '../../events/event.ts'
import type { TradeReceipt } from '../../orders.ts'
import type { Position } from './schemas.ts'

/** A receipt as callers see it. */
export async function tradeView(_app: App, _receipt: TradeReceipt): Promise<{ trade: Trade; position: Position }> {
  throw new Error('not built yet')
}
