import { once } from 'node:events'
import { join } from 'node:path'
import { createTestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterAll, describe, expect, it } from 'vitest'
import { LOCK_IDS } from '../../src/database/take-lock.ts'
import { createBackupMetrics } from '../../src/features/backup/backup-keeper.ts'
import { asOnlyBackup } from '../../src/features/backup/keep-backups.ts'
import { runCommand } from '../support/run-command.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const market = await createTestMarket()
afterAll(() => market.close())

describe('npm run backup', () => {
  const env = () => ({ DATABASE_URL: market.connectionString, DATA_DIR: temporaryFolder() })

  it('rejects unknown arguments, and a location that it cannot use', async () => {
    const [none, unknown] = await Promise.all([
      runCommand('backup', [], env()),
      runCommand('backup', ['--fast'], env()),
    ])
    expect(none).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Name a destination for the backup: .+\n$/) })
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: papermoon backup/) })
    expect(await runCommand('backup', ['s3://bucket'], env())).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^s3:\/\/bucket needs BACKUP_S3_URL.+\.\n$/),
    })
  })

  it('refuses to run beside another one', async () => {
    const end = await asOnlyBackup(market.pool, () =>
      runCommand('backup', [join(temporaryFolder(), 'backups'), '--logical'], env()),
    )
    expect(end).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Another process is backing up this database. Try again when it is done.\n',
    })
  })
})

it('lets other backups start once the connection with the lock is lost', async () => {
  const reason = await asOnlyBackup(market.pool, async (lost) => {
    expect(lost.aborted).toBe(false)
    const aborted = once(lost, 'abort')
    await sql`
      select pg_terminate_backend(l.pid)
        from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
       where l.locktype = 'advisory' and l.objid = ${LOCK_IDS.backupTaking}`.execute(market.db)
    await aborted
    return lost.reason
  })
  expect(reason).toMatchObject({ message: 'The connection that held the backup lock was lost.' })
})

function createStage() {
  const registry = new Registry()
  const metrics = createBackupMetrics(registry, 24)
  /** Returns the samples, with labels, by the part of their names after `papermoon_backup_`. */
  const read = async (): Promise<Record<string, number>> => {
    const lines = (await registry.metrics()).matchAll(/^papermoon_backup_(\S+) (\S+)$/gm)
    return Object.fromEntries([...lines].map(([, name = '', value]) => [name, Number(value)]))
  }
  return { metrics, read }
}

const kept = { taken_timestamp_seconds: 1_767_323_045, bytes: 1_000, differences: 0 }

it('show the kept backups, the running backup and the position of the archive', async () => {
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

it('count failures, and drop the role of a process that ended', async () => {
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
