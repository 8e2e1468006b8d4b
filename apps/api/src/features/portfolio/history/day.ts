import { Decimal, type Gain, gainBetween, type Sol } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/engine'
import type { AppPart } from '../../../context.ts'
import type { Snapshot } from '../../../database/snapshot.ts'
import { lastDayStart } from '../../../lib/last-day.ts'
import { readSpanStart } from './span-start.ts'
import { findGrants, findTokenFlows } from './span-store.ts'

type Parts = AppPart<'db' | 'clock'>

/**
 * Computes the gain over the last 24 hours: net worth now, minus net worth 24 hours ago (for a younger player, minus
 * the first SOL), minus SOL granted since.
 */
export async function readDayGain(
  app: Parts,
  snapshot: Snapshot,
  now: { userId: UserId; netWorth: Sol },
): Promise<Gain> {
  const begin = { userId: now.userId, since: lastDayStart(app.platform.clock.now()) }
  const { first, total, before } = await findGrants(snapshot, begin)
  const isYoung = first !== null && first.at >= begin.since
  const start = isYoung ? first.amount : (await readSpanStart(app, snapshot, begin)).netWorth
  return gainBetween({ start, now: now.netWorth, granted: total.sub(isYoung ? first.amount : before) })
}

/** Returns a holding's 24-hour gain, given its current cash-out value. */
export type HoldingGain = (tokenId: TokenId, cashOut: Sol) => Gain

/**
 * Computes each holding's 24-hour gain: its cash-out value now, minus its cash-out value then, plus SOL received and
 * minus SOL paid for it since.
 */
export async function readHoldingGains(app: Parts, snapshot: Snapshot, userId: UserId): Promise<HoldingGain> {
  const begin = { userId, since: lastDayStart(app.platform.clock.now()) }
  const { cashOuts } = await readSpanStart(app, snapshot, begin)
  const flows = await findTokenFlows(snapshot, begin)
  const zero = new Decimal(0)
  return (tokenId, cashOut) => {
    const cashOutThen = cashOuts.get(tokenId) ?? zero
    const { solIn, solOut } = flows.get(tokenId) ?? { solIn: zero, solOut: zero }
    return { profit: cashOut.sub(cashOutThen).add(solOut).sub(solIn), base: cashOutThen.add(solIn) }
  }
}
