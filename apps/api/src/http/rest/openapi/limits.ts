import type { Procedure } from '@papermoon/contract/procedure'
import { getLimitRules, type LimitName, type LimitRule } from '../../../security/rate-limits.ts'

const UNITS = [
  [86_400, 'h', 3_600],
  [3_600, 'h', 3_600],
  [60, 'min', 60],
  [0, 's', 1],
] as const

/** The limit of its own that a call has, and whether it may count as several reads; null where there is nothing to say. */
export function describeLimits({ limit, reads }: Pick<Procedure, 'limit' | 'reads'>): string | null {
  const own = limit === undefined ? [] : [`Limit: ${describeRules(limit)}.`]
  const more = reads === undefined ? [] : ['Larger answers count as several reads.']
  return own.length + more.length === 0 ? null : [...own, ...more].join(' ')
}

/** The limits that every call counts against, as a sentence. */
export function describeSharedLimits(): string {
  return `Rate limits: reads (GET) ${describeRules('read')}; writes ${describeRules('write')}. Operations with a limit of their own name it. RateLimit-* of every answer is the limit closest to its end.`
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
