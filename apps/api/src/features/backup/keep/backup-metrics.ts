import { Counter, Gauge, type Registry } from 'prom-client'
import type { KeeperReport, KeptBackup } from './keep-backups.ts'

const HOUR_S = 3_600

/** Metrics of the backups that a node keeps, from what its child process reports. */
export interface BackupMetrics {
  onReport(report: KeeperReport): void
  /** The child process ended; by itself, or because the server stops. */
  onEnd(isExpected: boolean): void
}

export function createBackupMetrics(registry: Registry, everyHours: number): BackupMetrics {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  const isKeeping = gauge('papermoon_backup_is_keeping', '1 on the node that archives and takes backups.')
  const taken = gauge(
    'papermoon_backup_taken_timestamp_seconds',
    'The moment that the last complete backup holds, in seconds since 1970; 0: there is none, or another node keeps them.',
  )
  const reached = gauge(
    'papermoon_backup_reached_timestamp_seconds',
    'The last moment that can be restored, in seconds since 1970; 0 on nodes that do not archive.',
  )
  const seconds = gauge('papermoon_backup_seconds', 'Time for the last backup of this node, with its audit; 0: none.')
  const bytes = gauge('papermoon_backup_bytes', 'Stored size of the last complete backup, without pictures and log.')
  const differences = gauge(
    'papermoon_backup_differences',
    'Differences that the audit of the last backup found; not a number if it was not restored.',
  )
  const interval = gauge('papermoon_backup_interval_seconds', 'Time between two backups.')
  const failures = new Counter({
    name: 'papermoon_backup_failures_total',
    help: 'Backups that could not be taken, and ends of the process that keeps them.',
    labelNames: ['of'] as const,
    registers: [registry],
  })
  for (const part of ['backup', 'process']) failures.inc({ of: part }, 0)
  interval.set(everyHours * HOUR_S)
  const show = (backup: KeptBackup | null) => {
    taken.set(backup === null ? 0 : Date.parse(backup.at) / 1_000)
    bytes.set(backup?.bytes ?? 0)
    differences.set(backup === null ? 0 : (backup.differences ?? Number.NaN))
  }
  return {
    onReport: (report) => {
      if (report.kind === 'keeping') {
        isKeeping.set(1)
        show(report.newest)
      } else if (report.kind === 'taken') {
        seconds.set(report.seconds)
        show(report)
      } else if (report.kind === 'reached') reached.set(Date.parse(report.at) / 1_000)
      else if (report.kind === 'failed') failures.inc({ of: 'backup' })
    },
    onEnd: (isExpected) => {
      isKeeping.set(0)
      reached.set(0)
      // The next keeper's backups may be right; this node would never hear of them.
      differences.set(0)
      if (!isExpected) failures.inc({ of: 'process' })
    },
  }
}
