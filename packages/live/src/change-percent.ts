import { Decimal, percentText } from '@papermoon/amm'

/** Returns the percentage change from `before` to `now`, in the same format as the API. */
export function changePercent(before: string, now: string): string {
  const base = new Decimal(before)
  return percentText(new Decimal(now).sub(base), base)
}
