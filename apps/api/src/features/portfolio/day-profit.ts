import type { Decimal, Sol } from '@papermoon/amm'
import type { DayChange } from './store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Where the last 24 hours begin: the first whole minute in them, since prices of the past are kept by the minute. */
export function dayBegin(now: Date): Date {
  return new Date(Math.ceil((now.getTime() - DAY_MS) / MINUTE_MS) * MINUTE_MS)
}

/**
 * What a day brought, in SOL: the value now less the value then of what was held then, plus what came out and less what
 * went in since. Of one position as of the sum of many. `base` is what it is a percentage of: all that was at stake.
 */
export function dayProfit(valueNow: Sol, { valueThen, solIn, solOut }: DayChange): { profit: Sol; base: Decimal } {
  return { profit: valueNow.sub(valueThen).add(solOut).sub(solIn), base: valueThen.add(solIn) }
}
