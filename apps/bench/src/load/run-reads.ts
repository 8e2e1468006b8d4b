import { performance } from 'node:perf_hooks'
import { quantile } from '../report/median.ts'
import { HttpConnection } from './http-connection.ts'
import type { LoadPlan, LoadResult } from './plans.ts'

/** Runs a load of reads. The promise rejects for a status other than 200, or when a connection ends. */
export async function runReads({ port, paths, connections, seconds }: LoadPlan): Promise<LoadResult> {
  const open = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(port)))
  const latenciesMs: number[] = []
  let next = 0
  const startedMs = performance.now()
  const untilMs = startedMs + seconds * 1_000
  const drive = async (connection: HttpConnection) => {
    for (let sentMs = startedMs; sentMs < untilMs; ) {
      await connection.read(paths[next++ % paths.length] ?? '/')
      const nowMs = performance.now()
      latenciesMs.push(nowMs - sentMs)
      sentMs = nowMs
    }
  }
  try {
    await Promise.all(open.map(drive))
  } finally {
    for (const connection of open) connection.close()
  }
  return summarize(latenciesMs, startedMs)
}

/** Summarizes a load that began at `startedMs` and has just ended. */
export function summarize(latenciesMs: readonly number[], startedMs: number): LoadResult {
  return {
    perSecond: latenciesMs.length / ((performance.now() - startedMs) / 1_000),
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    answered: latenciesMs.length,
  }
}
