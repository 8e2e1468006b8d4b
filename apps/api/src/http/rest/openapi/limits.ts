import type { Procedure } from '@papermoon/contract/procedure'
import { getLimitRules, type LimitName, type LimitRule } from '../../../security/rate-limits.ts'

const UNITS = [
  [86_400, 'h', 3_600],
  [3_600, 'h', 3_600],
  [60, 'min', 60],
  [0, 's', 1],
] as const

/** The limit of its own that a call has; null: none. */
export function describeLimits({ limit }: Pick<Procedure, 'limit'>): string | null {
  return limit === undefined ? null : `Limit: ${describeRules(limit)}.`
}

/** The limits that every call counts against, as a sentence. */
export function describeSharedLimits(): string {
  return `Rate limits: reads (GET) ${describeRules('read')}; writes ${describeRules('write')}. Large answers count as several reads. Operations with a limit of their own name it. RateLimit-* of every answer is the limit closest to its end.`
}

function describeRules(name: LimitName): string {
  const { address, account } = getLimitRules(name)
  const parts = [
    ...(account ? [`${describeRule(account)} a player`] : []),
    ...(address ? [`${describeRule(address)} an address`] : []),
  ]
  return parts.join(', ')
}

function describeRule({ calls, seconds }: LimitRule): string {
  const [, unit, size] = UNITS.find(([least]) => seconds >= least) ?? [0, 's', 1]
  return `${calls.toLocaleString('en')} in ${seconds / size} ${unit}`
}
