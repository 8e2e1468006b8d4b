import type { Procedure } from '@papermoon/contract/procedure'
import { getLimitRules, type LimitName, type LimitRule } from '../../../security/rate-limits.ts'

const UNITS = [
  [86_400, 'h', 3_600],
  [3_600, 'h', 3_600],
  [60, 'min', 60],
  [0, 's', 1],
] as const

/** Returns the call’s own limit as a sentence; null if the call has none. */
export function describeLimits({ limit }: Pick<Procedure, 'limit'>): string | null {
  return limit === undefined ? null : `Limited to ${describeRules(limit)}.`
}

/** Returns the limits that every call counts against, as a sentence. */
export function describeSharedLimits(): string {
  return `Reads (GET) are limited to ${describeRules('read')}, writes to ${describeRules('write')}. Large responses count as several reads. Some operations have a further limit. Above a limit, you get 429. Try again after Retry-After seconds. The RateLimit-* headers describe the limit with the fewest calls left.`
}

function describeRules(name: LimitName): string {
  const { address, account } = getLimitRules(name)
  const parts = [
    ...(account ? [`${describeRule(account)} per player`] : []),
    ...(address ? [`${describeRule(address)} per IP address`] : []),
  ]
  return parts.join(' and ')
}

function describeRule({ calls, seconds }: LimitRule): string {
  const [, unit, size] = UNITS.find(([least]) => seconds >= least) ?? [0, 's', 1]
  return `${calls.toLocaleString('en')} calls in ${seconds / size} ${unit}`
}
