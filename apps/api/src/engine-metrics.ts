import { DomainError, type EngineObserver } from '@papermoon/engine'
import { Counter, Histogram, type Registry } from 'prom-client'
import { registerGauge } from './lib/gauge.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const ORDERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export function createEngineMetrics(registry: Registry, engine: { readonly waiting: () => number }): EngineObserver {
  const registers = [registry]
  const orders = new Counter({
    name: 'papermoon_engine_orders_total',
    help: 'Orders that the engine of this node answered: done, or the code of what prevented it.',
    labelNames: ['outcome'] as const,
    registers,
  })
  for (const outcome of ['done', 'BUSY', 'OUTCOME_UNKNOWN']) orders.inc({ outcome }, 0)
  const batches = new Counter({
    name: 'papermoon_engine_batches_total',
    help: 'Batches of orders, by how they ran: optimistic, or under locks after a conflict.',
    labelNames: ['mode'] as const,
    registers,
  })
  for (const mode of ['optimistic', 'locked']) batches.inc({ mode }, 0)
  const histogram = (name: string, help: string, buckets: number[]) => new Histogram({ name, help, buckets, registers })
  const sizes = histogram('papermoon_engine_batch_orders', 'Orders in a batch.', ORDERS)
  const queues = histogram(
    'papermoon_engine_queue_seconds',
    'Longest wait of an order of a batch in the queue.',
    SECONDS,
  )
  const commits = histogram(
    'papermoon_engine_commit_seconds',
    'Time for PostgreSQL to write and commit a batch.',
    SECONDS,
  )
  registerGauge(registry, 'papermoon_engine_waiting_orders', 'Orders that wait for a batch.', engine.waiting)
  return {
    onBatch: ({ mode, orders: size, refused, queueSeconds, commitSeconds }) => {
      batches.inc({ mode })
      sizes.observe(size)
      queues.observe(queueSeconds)
      if (commitSeconds !== null) commits.observe(commitSeconds)
      if (size > refused) orders.inc({ outcome: 'done' }, size - refused)
    },
    onRejected: (error) => orders.inc({ outcome: error instanceof DomainError ? error.code : 'FAILED' }),
  }
}
