import type { DatabaseAddress } from '@papermoon/db'
import type { DriverMessage } from './driver-plan.ts'
import { type TradeOnce, tradeInTurn } from './trade-in-turn.ts'

/** Makes this process a driver: it runs the plans its parent sends until the parent exits. */
export function driveOnDemand(open: (address: DatabaseAddress) => TradeOnce): void {
  let trade: TradeOnce | null = null
  process.on('message', (message: DriverMessage) => {
    if ('address' in message) {
      trade = open(message.address)
      process.send?.({ result: 'ready' })
    } else if (trade !== null) {
      tradeInTurn(message.plan, trade).then(
        (result) => process.send?.({ result }),
        (error: unknown) => process.send?.({ error: String(error) }),
      )
    }
  })
  process.on('disconnect', () => process.exit(0))
}
