import { performance } from 'node:perf_hooks'
import type { Round } from '../report/measurement.ts'
import { quantile } from '../report/median.ts'
import { anonymousGet } from './anonymous-get.ts'
import type { HttpConnection } from './http-connection.ts'

interface Reader {
  readonly port: number
  readonly connection: HttpConnection
}

/** Requests one after another. Throws unless each succeeds. */
export async function timeReads({ port, connection }: Reader, paths: readonly string[]): Promise<Round> {
  const tookMs: number[] = []
  for (const path of paths) {
    const startedMs = performance.now()
    const { status } = await connection.send(Buffer.from(anonymousGet(port, path)))
    if (status !== 200) throw new Error(`${status} for ${path}`)
    tookMs.push(performance.now() - startedMs)
  }
  return { p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99) }
}
