import { Counter, Gauge, type Registry } from 'prom-client'
import type { RoutedReads } from './routed-reads.ts'

/** Metrics of a node with a replica. */
export function registerReadMetrics(registry: Registry, reads: Pick<RoutedReads, 'getFigures'>): void {
  const registers = [registry]
  new Counter({
    name: 'papermoon_routed_reads_total',
    help: 'Expensive reads that a replica may answer, by the server that answered them.',
    labelNames: ['read', 'target'] as const,
    registers,
    collect() {
      this.reset()
      for (const [read, counts] of reads.getFigures().reads)
        for (const [target, count] of Object.entries(counts)) this.inc({ read, target }, count)
    },
  })
  new Counter({
    name: 'papermoon_replica_fallbacks_total',
    help: 'Reads that were begun on the replica and answered by the primary: the replica was behind or away, removed rows that they needed, or was slow.',
    labelNames: ['reason'] as const,
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(reads.getFigures().fallbacks)) this.inc({ reason }, count)
    },
  })
  new Gauge({
    name: 'papermoon_replica_is_usable',
    help: '1 while reads go to the replica.',
    registers,
    collect() {
      this.set(Number(reads.getFigures().state.kind === 'usable'))
    },
  })
  new Gauge({
    name: 'papermoon_replica_lag_seconds',
    help: 'How far the replica is behind the primary; not a number while it is away.',
    registers,
    collect() {
      const { state } = reads.getFigures()
      this.set('lagMs' in state ? state.lagMs / 1_000 : Number.NaN)
    },
  })
}
