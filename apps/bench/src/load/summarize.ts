import { performance } from 'node:perf_hooks'
import { quantile } from '../report/median.ts'
import type { LoadResult } from './plans.ts'

/** Summarizes a load that began at `startedMs` and has just ended. The latencies are NaN if no response came. */
export function summarize(latenciesMs: readonly number[], startedMs: number): LoadResult {
  const latency = (q: number) => (latenciesMs.length === 0 ? Number.NaN : quantile(latenciesMs, q))
  return {
    perSecond: latenciesMs.length / ((performance.now() - startedMs) / 1_000),
    p50Ms: latency(0.5),
    p99Ms: latency(0.99),
    answered: latenciesMs.length,
  }
}
