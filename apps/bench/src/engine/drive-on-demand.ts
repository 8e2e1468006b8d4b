import type { DatabaseAddress } from '@papermoon/db'
import type { DrivePlan, DriveResult, DriverMessage } from './driver-plan.ts'
import { type TradeOnce, tradeInTurn } from './trade-in-turn.ts'

/** A way to trade, and work to be done beside each plan. */
interface WorkedTrade {
  readonly trade: TradeOnce
  startJob(): { stop(): Promise<void> }
}

/** Makes this process a driver: it runs the plans its parent sends until the parent exits. */
export function driveOnDemand(open: (address: DatabaseAddress) => TradeOnce | WorkedTrade): void {
  let way: TradeOnce | WorkedTrade | null = null
  process.on('message', (message: DriverMessage) => {
    if ('address' in message) {
      way = open(message.address)
      process.send?.({ result: 'ready' })
    } else if (way !== null) {
      drive(message.plan, way).then(
        (result) => process.send?.({ result }),
        (error: unknown) => process.send?.({ error: String(error) }),
      )
    }
  })
  process.on('disconnect', () => process.exit(0))
}

async function drive(plan: DrivePlan, way: TradeOnce | WorkedTrade): Promise<DriveResult> {
  if (typeof way === 'function') return await tradeInTurn(plan, way)
  const job = way.startJob()
  try {
    return await tradeInTurn(plan, way.trade)
  } finally {
    await job.stop()
  }
}
