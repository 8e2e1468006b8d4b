import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { createBackupMetrics } from '../../src/features/backup/keep/backup-metrics.ts'

function createStage() {
  const registry = new Registry()
  const metrics = createBackupMetrics(registry, 24)
  /** The samples by what follows `papermoon_backup_` in their names, with their labels. */
  const read = async (): Promise<Record<string, number>> => {
    const lines = (await registry.metrics()).matchAll(/^papermoon_backup_(\S+) (\S+)$/gm)
    return Object.fromEntries([...lines].map(([, name = '', value]) => [name, Number(value)]))
  }
  return { metrics, read }
}

const kept = { at: '2026-01-02T03:04:05.000Z', bytes: 1_000, differences: 0 }
const takenAt = Date.parse(kept.at) / 1_000

it('shows the last complete backup as soon as a node keeps them, whoever took it', async () => {
  const { metrics, read } = createStage()
  expect(await read()).toMatchObject({ is_keeping: 0, taken_timestamp_seconds: 0, interval_seconds: 86_400 })
  metrics.onReport({ kind: 'waiting' })
  expect(await read()).toMatchObject({ is_keeping: 0 })
  metrics.onReport({ kind: 'keeping', newest: kept })
  expect(await read()).toMatchObject({ is_keeping: 1, taken_timestamp_seconds: takenAt, bytes: 1_000, differences: 0 })
})

it('shows how long a backup took, how large it is, what its audit found, and how far the archive is', async () => {
  const { metrics, read } = createStage()
  metrics.onReport({ kind: 'keeping', newest: null })
  expect(await read()).toMatchObject({ is_keeping: 1, taken_timestamp_seconds: 0, seconds: 0 })
  metrics.onReport({ kind: 'taken', id: 'one', seconds: 12.5, ...kept, differences: 3 })
  metrics.onReport({ kind: 'reached', at: kept.at })
  expect(await read()).toMatchObject({ seconds: 12.5, differences: 3, reached_timestamp_seconds: takenAt })
  metrics.onReport({ kind: 'taken', id: 'two', seconds: 1, ...kept, differences: null })
  expect((await read()).differences).toBeNaN()
})

it('counts failures, and forgets the role of a process that ended', async () => {
  const { metrics, read } = createStage()
  expect(await read()).toMatchObject({ 'failures_total{of="backup"}': 0, 'failures_total{of="process"}': 0 })
  metrics.onReport({ kind: 'keeping', newest: kept })
  metrics.onReport({ kind: 'taken', id: 'one', seconds: 1, ...kept, differences: 3 })
  metrics.onReport({ kind: 'reached', at: kept.at })
  metrics.onReport({ kind: 'failed', why: 'no room' })
  metrics.onEnd(false)
  const ended = { is_keeping: 0, reached_timestamp_seconds: 0, taken_timestamp_seconds: takenAt, differences: 0 }
  expect(await read()).toMatchObject({ ...ended, 'failures_total{of="backup"}': 1, 'failures_total{of="process"}': 1 })
  metrics.onEnd(true)
  expect(await read()).toMatchObject({ 'failures_total{of="process"}': 1 })
})
