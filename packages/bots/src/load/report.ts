import type { RampLimit } from './find-limit.ts'
import type { LoadResult } from './run-load.ts'

/** Max 99th percentile of the latency in a ramp, in ms. */
export const P99_MAX_MS = 250
/** Max lag of this program, in ms. If the lag is longer, the result depends on this program and not on the server. */
export const LAG_MAX_MS = 100

/** Formats a run's results as lines. */
export function formatReport(result: LoadResult): string {
  const { plan, lastedMs, scheduled, done, refused, unknown, idle, dropped, latencies, lags } = result
  const seconds = lastedMs / 1_000
  const refusals = [...refused].sort(([, a], [, b]) => b - a)
  const refusedCount = refusals.reduce((sum, [, count]) => sum + count, 0)
  const rows = [
    [
      'scheduled',
      `${toText(scheduled)} orders in ${seconds.toFixed(1)} s, ${(scheduled / seconds).toFixed(1)} a second of ${plan.rate}`,
    ],
    ['acknowledged', toText(done)],
    ['refused', [toText(refusedCount), ...refusals.map(([code, count]) => `${code} ${toText(count)}`)].join('  ')],
    ...(unknown > 0 ? [['unknown', `${toText(unknown)} without a response, placed or not`]] : []),
    ...(idle > 0 ? [['nobody', `${toText(idle)} times at which nobody wanted to trade`]] : []),
    ...(dropped > 0 ? [['not sent', `${toText(dropped)} because too many had no response yet`]] : []),
    ['latency', `${formatPercentiles(latencies)}, from the scheduled time`],
    ['this program', `was late by ${formatPercentiles(lags)} of that`],
    ['events', `${toText(result.eventsExpected)} expected, ${toText(result.eventsMissed)} missed`],
  ]
  return `${rows.map(([name = '', text]) => `${name.padEnd(14)}${text}`).join('\n')}\n`
}

function formatPercentiles(latencies: LoadResult['latencies']): string {
  const at = (name: string, share: number) => `${name} ${formatMs(toPercentileMs(latencies, share))}`
  return `${[at('p50', 50), at('p90', 90), at('p99', 99)].join(', ')}, max ${formatMs(latencies.max / 1_000)} ms`
}

export const toPercentileMs = (latencies: LoadResult['latencies'], share: number) => latencies.percentile(share) / 1_000
const formatMs = (ms: number) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0))
const toText = (count: number) => count.toLocaleString('en')

export interface LoadStep {
  readonly rate: number
  readonly isHeld: boolean
  readonly result: LoadResult
}

/** Returns whether the server sustained the rate. A server sustains a rate if it responds to every order in time. */
export function isHeld({ latencies, unknown, dropped, refused }: LoadResult): boolean {
  const isOverloaded =
    unknown > 0 || dropped > 0 || ['BUSY', 'DATABASE_AWAY', 'RATE_LIMITED'].some((code) => refused.has(code))
  return !isOverloaded && toPercentileMs(latencies, 99) <= P99_MAX_MS
}

export function formatStep({ rate, isHeld: wasHeld, result }: LoadStep): string {
  const { latencies, lags } = result
  const isLate = toPercentileMs(lags, 99) > LAG_MAX_MS ? ' (this program was late itself)' : ''
  return `${rate.toFixed(0).padStart(6)}/s  ${formatPercentiles(latencies)}  ${wasHeld ? 'held' : 'not held'}${isLate}\n`
}

export function formatLimit({ held, failed }: RampLimit<LoadStep>): string {
  const limit = `the 99th percentile passes ${P99_MAX_MS} ms, or orders are turned away`
  if (held === null && failed === null) return 'No step was finished.\n'
  if (held === null) return `Already at ${failed?.rate.toFixed(0)} orders a second ${limit}.\n`
  if (failed === null) return `Up to ${held.rate.toFixed(0)} orders a second all is held; no higher rate was tried.\n`
  return `Up to ${held.rate.toFixed(0)} orders a second are held. At ${failed.rate.toFixed(0)} ${limit}.\n`
}
