import { Decimal, percentText } from '@papermoon/amm'

/** `now` against `before` in percent, as every reading says it. */
export function changePercent(before: string, now: string): string {
  const base = new Decimal(before)
  return percentText(new Decimal(now).sub(base), base)
}
