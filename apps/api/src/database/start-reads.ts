import type { Registry } from 'prom-client'
import { registerReadMetrics } from './read-metrics.ts'
import { type Reads, readPrimary } from './reads.ts'
import { RoutedReads, type RoutedReadsParts } from './routed-reads.ts'

/** The reads of a node; `stop` ends the looks at its replica. */
export interface StartedReads {
  readonly reads: Reads
  stop(): Promise<void>
}

type Parts = Omit<RoutedReadsParts, 'replica'> & {
  /** Null: every read goes to the primary. */
  readonly replica: RoutedReadsParts['replica'] | null
  readonly metrics: Registry
}

export function startReads({ replica, metrics, ...parts }: Parts): StartedReads {
  if (replica === null) return { reads: readPrimary(parts.primary), stop: async () => {} }
  const reads = new RoutedReads({ ...parts, replica })
  registerReadMetrics(metrics, reads)
  reads.start()
  return { reads, stop: () => reads.stop() }
}
