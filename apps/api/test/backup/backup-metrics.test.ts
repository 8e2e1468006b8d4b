import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { createBackupMetrics } from '../../src/features/backup/backup-keeper.ts'

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

const kept = { taken_timestamp_seconds: 1_767_323_045, bytes: 1_000, differences: 0 }

it('shows what a node keeps and takes, and how far its archive is', async () => {
  const { metrics, read } = createStage()
  expect(await read()).toMatchObject({ is_keeping: 0, taken_timestamp_seconds: 0, interval_seconds: 86_400 })
  metrics.onReport({ message: 'another node takes the backups' })
  expect(await read()).toMatchObject({ is_keeping: 0 })
  metrics.onReport({ message: 'keeping', gauges: { is_keeping: 1, ...kept } })
  metrics.onReport({ message: 'reached', gauges: { reached_timestamp_seconds: 1_767_323_100 } })
  expect(await read()).toMatchObject({ is_keeping: 1, reached_timestamp_seconds: 1_767_323_100, ...kept })
  metrics.onReport({ message: 'taken', gauges: { seconds: 12.5, ...kept, differences: Number.NaN } })
  expect(await read()).toMatchObject({ seconds: 12.5 })
  expect((await read()).differences).toBeNaN()
})

it('counts failures, and forgets the role of a process that ended', async () => {
  const { metrics, read } = createStage()
  expect(await read()).toMatchObject({ 'failures_total{of="backup"}': 0, 'failures_total{of="process"}': 0 })
  metrics.onReport({
    message: 'keeping',
    gauges: { is_keeping: 1, reached_timestamp_seconds: 1, ...kept, differences: 3 },
  })
  metrics.onReport({ message: 'a backup could not be taken', failed: 'backup' })
  metrics.onReport({ message: 'the archive could not be updated', failed: 'archive' })
  metrics.onEnd(false)
  const ended = { ...kept, is_keeping: 0, reached_timestamp_seconds: 0, differences: 0 }
  expect(await read()).toMatchObject({ ...ended, 'failures_total{of="backup"}': 1, 'failures_total{of="archive"}': 1 })
  expect(await read()).toMatchObject({ 'failures_total{of="process"}': 1 })
  metrics.onEnd(true)
  expect(await read()).toMatchObject({ 'failures_total{of="process"}': 1 })
})
