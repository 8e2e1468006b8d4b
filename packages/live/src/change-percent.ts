import { Decimal, percentText } from '@papermoon/amm'

/** Returns the percentage change from `before` to `now`, formatted like the API's. */
export function changePercent(before: string, now: string): string {
  const base = new Decimal(before)
  return percentText(new Decimal(now).sub(base), base)
}
