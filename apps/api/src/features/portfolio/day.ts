import { type Gain, gainBetween, type Sol } from '@papermoon/amm'
import type { UserId } from '../../ids.ts'
import type { Snapshot } from '../../snapshot.ts'
import { findGrants, type HoldingSpan, sumStakesAt } from './day-store.ts'
import { findFlows } from './history-store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Where the last 24 hours begin: the first whole minute in them, so that a figure stands still for a minute. */
export function dayBegin(now: Date): Date {
  return new Date(Math.ceil((now.getTime() - DAY_MS) / MINUTE_MS) * MINUTE_MS)
}

/** Where a player's last 24 hours began: with the first SOL where that came in them. */
export interface DayStart {
  readonly netWorth: Sol
  /** SOL granted since. */
  readonly granted: Sol
}

/** A player's net worth 24 hours before `now`, or with their first SOL; exact. `balance` is that of now. */
export async function readDayStart(
  snapshot: Snapshot,
  { userId, now }: { userId: UserId; now: Date },
  balance: Sol,
): Promise<DayStart> {
  const begin = { userId, since: dayBegin(now) }
  const { first, total, before } = await findGrants(snapshot, begin)
  if (first !== null && first.at >= begin.since) return { netWorth: first.amount, granted: total.sub(first.amount) }
  const flows = await findFlows(snapshot, userId, [begin.since])
  const balanceThen = balance.sub(flows.get(1) ?? 0)
  return { netWorth: balanceThen.add(await sumStakesAt(snapshot, begin)), granted: total.sub(before) }
}

/** What a day brought to a net worth. */
export function dayGain({ netWorth: start, granted }: DayStart, now: Sol): Gain {
  return gainBetween({ start, now, granted })
}

/** What a day brought to one holding: what it would pay now less what it would have paid then, and the SOL in and out since. */
export function holdingGain(cashOut: Sol, { cashOutThen, solIn, solOut }: HoldingSpan): Gain {
  return { profit: cashOut.sub(cashOutThen).add(solOut).sub(solIn), base: cashOutThen.add(solIn) }
}
