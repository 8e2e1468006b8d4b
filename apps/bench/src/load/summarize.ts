import { performance } from 'node:perf_hooks'
import { quantile } from '../report/median.ts'
import type { LoadResult } from './plans.ts'

/** Summarizes a load that began at `startedMs` and has just ended. Throws an error if no response came. */
export function summarize(latenciesMs: readonly number[], startedMs: number): LoadResult {
  return {
    perSecond: latenciesMs.length / ((performance.now() - startedMs) / 1_000),
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    answered: latenciesMs.length,
  }
}
