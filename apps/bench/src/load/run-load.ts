import { performance } from 'node:perf_hooks'
import { quantile } from '../report/median.ts'
import { HttpConnection } from './http-connection.ts'
import type { LoadPlan, LoadResult } from './load-plan.ts'

/** Runs a load. Rejects for an answer of another status, or when a connection ends. */
export async function runLoad({
  port,
  requests,
  first,
  connections,
  seconds,
  status = 200,
}: LoadPlan): Promise<LoadResult> {
  const open = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(port)))
  const bytes = requests.map((request) => Buffer.from(request))
  const latenciesMs: number[] = []
  let received = 0
  let next = first
  const startedMs = performance.now()
  const untilMs = startedMs + seconds * 1_000
  const drive = async (connection: HttpConnection) => {
    for (let sentMs = startedMs; sentMs < untilMs; ) {
      const request = bytes[next++ % bytes.length]
      if (request === undefined) throw new Error('there is nothing to ask')
      const answer = await connection.send(request)
      if (answer.status !== status) throw new Error(`${answer.status} for ${requests[(next - 1) % bytes.length]}`)
      const nowMs = performance.now()
      latenciesMs.push(nowMs - sentMs)
      received += answer.bytes
      sentMs = nowMs
    }
  }
  try {
    await Promise.all(open.map(drive))
  } finally {
    for (const connection of open) connection.close()
  }
  const tookS = (performance.now() - startedMs) / 1_000
  return {
    perSecond: latenciesMs.length / tookS,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    megabytesPerSecond: received / tookS / 1e6,
    answered: latenciesMs.length,
  }
}
