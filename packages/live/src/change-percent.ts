import { Decimal, percentText } from '@papermoon/amm'

/** Change from `before` to `now` in percent, formatted as the API does. */
export function changePercent(before: string, now: string): string {
  const base = new Decimal(before)
  return percentText(new Decimal(now).sub(base), base)
}
