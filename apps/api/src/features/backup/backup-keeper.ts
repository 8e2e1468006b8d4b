import { removeSpool } from '@papermoon/db/backup'
import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Platform } from '../../context.ts'
import { type ChildScript, runChild } from '../../lib/run-child.ts'
import type { BackupGauge, KeeperReport } from './keep-backups.ts'
import { removeLeftovers } from './restore.ts'

/** Max length of the stored output in characters. Only the end of the output is stored. */
const OUTPUT_CHARS_MAX = 4_000
const HOUR_S = 3_600

const GAUGES: Readonly<Record<BackupGauge, string>> = {
  is_keeping: '1 on the node that takes the backups, 0 on other nodes.',
  taken_timestamp_seconds:
    'Time of the last complete backup, in seconds since 1970. 0 if there is none or another node takes the backups.',
  reached_timestamp_seconds:
    'Latest time that can be restored, in seconds since 1970. 0 on nodes that do not take backups.',
  seconds: 'Duration of this node’s last backup including its audit, in seconds. 0 if there is none.',
  bytes: 'Size of the last complete backup in bytes, without pictures and the log.',
  differences: 'Differences that the last backup’s audit found. NaN if the backup was not audited.',
}

type Parts = Pick<Platform, 'db' | 'log' | 'metrics'> & {
  readonly config: Pick<Platform['config'], 'backup' | 'databaseUrl' | 'dataDir'>
}

/**
 * Returns a function that runs the backup schedule while `BACKUP_TO` is set, in a child process with the lowest
 * priority. The run of this job ends when its child process ends. The child process takes a lock, so that only one node
 * archives and takes backups.
 */
export function createBackupKeeper(parts: Parts, script: ChildScript): (stopping: AbortSignal) => Promise<void> {
  const { config, log, metrics } = parts
  const shown = config.backup.to === null ? null : createBackupMetrics(metrics, config.backup.everyHours)
  const onMessage = (message: unknown) => {
    const report = message as KeeperReport
    shown?.onReport(report)
    if (report.level !== undefined) log[report.level](report.fields ?? {}, report.message)
  }
  let isCleared = false
  return async (stopping) => {
    if (!isCleared) await clearAway(parts)
    isCleared = true
    if (shown === null || stopping.aborted) return
    const ended = runChild(script, { stopping, onMessage, outputCharsMax: OUTPUT_CHARS_MAX })
    const { code, output } = await ended.catch((error: unknown) => ({ code: null, output: String(error) }))
    shown.onEnd(stopping.aborted)
    if (!stopping.aborted) log.warn({ code, output }, 'the backup process ended; restarting it')
  }
}

/**
 * Removes copies that killed processes left behind. Earlier versions archived by replication and left a replication
 * slot in the database. Remove the slot, because PostgreSQL would otherwise keep its log for ever.
 */
async function clearAway({ config, db }: Parts): Promise<void> {
  if (config.backup.to === null && config.databaseUrl === null) removeSpool(config.dataDir)
  await removeLeftovers(config.dataDir)
  await sql`select pg_drop_replication_slot(slot_name) from pg_replication_slots, pg_database
    where datname = current_database() and slot_name = 'papermoon_backup_' || pg_database.oid and not active`.execute(
    db,
  )
}

/** Creates metrics about a node's backups from the reports of the child process. */
export function createBackupMetrics(registry: Registry, everyHours: number) {
  const create = (name: string, help: string) =>
    new Gauge({ name: `papermoon_backup_${name}`, help, registers: [registry] })
  const gauges = new Map(Object.entries(GAUGES).map(([name, help]) => [name, create(name, help)]))
  create('interval_seconds', 'Time between two backups, in seconds.').set(everyHours * HOUR_S)
  const failures = new Counter({
    name: 'papermoon_backup_failures_total',
    help: 'Failed backups, failed archiving of the log, and unexpected ends of the backup process.',
    labelNames: ['of'] as const,
    registers: [registry],
  })
  for (const part of ['backup', 'archive', 'process']) failures.inc({ of: part }, 0)
  return {
    onReport: ({ gauges: values = {}, failed }: KeeperReport) => {
      for (const [name, value] of Object.entries(values)) gauges.get(name)?.set(value)
      if (failed !== undefined) failures.inc({ of: failed })
    },
    /** Called when the child process ends, either by itself or because the server stops. */
    onEnd: (isExpected: boolean) => {
      // Reset the metrics, because another node may take the next backups.
      for (const name of ['is_keeping', 'reached_timestamp_seconds', 'differences']) gauges.get(name)?.set(0)
      if (!isExpected) failures.inc({ of: 'process' })
    },
  }
}
