import { execFile } from 'node:child_process'
import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withTimeout } from '@papermoon/db'
import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { SharedRead } from './cache/shared-read.ts'
import type { AppPart } from './context.ts'
import { type DatabaseCondition, probeDatabase } from './database/probe-database.ts'
import type { RedisRelay } from './events/redis-relay.ts'
import { registerGauge } from './lib/gauge.ts'
import { storageFailures } from './storage/object-store.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** How long Prometheus scrapes share one read of the database, in ms. */
const FRESH_MS = 2_000
const READ_MAX_MS = 2_000
const HOUR_S = 3_600

type Parts = AppPart<'db' | 'config' | 'clock'> & { readonly relay: RedisRelay | null }

/**
 * Registers metrics about problems that only an operator can fix: the running build, disk space, Redis, fairs, the
 * audit and picture storage.
 */
export function registerOperationMetrics(registry: Registry, parts: Parts): void {
  registry.registerMetric(storageFailures)
  const build = new Gauge({
    name: 'papermoon_build_info',
    help: '1, labelled with the version and the commit of this build.',
    labelNames: ['version', 'commit'] as const,
    registers: [registry],
    async collect() {
      build.set(await readBuild(), 1)
    },
  })
  registerGauge(registry, 'papermoon_data_free_bytes', 'Room on the disk of DATA_DIR.', async () => {
    const disk = await statfs(parts.platform.config.dataDir).catch(() => null)
    return disk && disk.bavail * disk.bsize
  })
  const condition = new SharedRead<DatabaseCondition>(FRESH_MS)
  const room = '0 if the disk of the database is full; absent while the database is away.'
  registerGauge(registry, 'papermoon_database_has_room', room, async () => {
    const found = await condition.get(parts.platform.clock.now().getTime(), () => probeDatabase(parts))
    return found === 'away' ? null : Number(found === 'ready')
  })
  const { relay } = parts
  if (relay !== null) {
    const help = '1 if Redis answered when these metrics were read.'
    registerGauge(registry, 'papermoon_redis_is_up', help, async () => Number(await relay.isUp()))
  }
  registerFairMetrics(registry, parts)
  if (parts.platform.config.auditEveryHours > 0) registerAuditMetrics(registry, parts)
}

interface LastAudit {
  readonly finishedS: number
  readonly differences: number
}

/** Registers the metrics of the audit. If no audit is scheduled, registers nothing. */
function registerAuditMetrics(registry: Registry, parts: Parts): void {
  const { db, config } = parts.platform
  const readLast = sql<LastAudit>`
    select coalesce(extract(epoch from max(finished_at)), 0)::float8 as "finishedS",
           coalesce((array_agg(differences order by id desc))[1], 0) as differences from audits`
  const gauge = registerRow(registry, parts, () => readLast.execute(db))
  const finished = 'When the last audit ended, in seconds since 1970; 0: there was none.'
  gauge('papermoon_audit_finished_timestamp_seconds', finished, ({ finishedS }) => finishedS)
  gauge('papermoon_audit_differences', 'Differences that the last audit found.', ({ differences }) => differences)
  gauge('papermoon_audit_interval_seconds', 'Time between two audits.', () => config.auditEveryHours * HOUR_S)
}

function registerFairMetrics(registry: Registry, parts: Parts): void {
  const readNow = sql<{ readonly overdueS: number }>`
    select coalesce(greatest(extract(epoch from max(
             clock_timestamp() - case state when 'lobby' then starts_at else bell_at end)), 0), 0)::float8 as "overdueS"
      from fairs where state in ('lobby', 'open') and id > 1`
  const gauge = registerRow(registry, parts, () => readNow.execute(parts.platform.db))
  const overdue = 'How long the opening or the results of a fair are overdue; a second at most while all is well.'
  gauge('papermoon_fairs_overdue_seconds', overdue, ({ overdueS }) => overdueS)
}

/**
 * Returns a function that registers gauges for the columns of one query's row. The gauges are absent while the database
 * is unreachable.
 */
function registerRow<Row>(
  registry: Registry,
  { platform: { clock } }: Parts,
  readRow: () => Promise<{ readonly rows: readonly Row[] }>,
) {
  const shared = new SharedRead<Row | null>(FRESH_MS)
  const read = () =>
    withTimeout(readRow(), READ_MAX_MS).then(
      ({ rows }) => rows[0] ?? null,
      () => null,
    )
  return (name: string, help: string, pick: (row: Row) => number) =>
    registerGauge(registry, name, help, async () => {
      const row = await shared.get(clock.now().getTime(), read)
      return row && pick(row)
    })
}

/**
 * Reads the commit of the running build. In a container image, a file contains the commit. Without this file, the
 * commit is read from git.
 */
const readBuild = lazily(async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const written = await readFile(join(ROOT, 'commit'), 'utf8').catch(() => '')
  if (written.trim() !== '') return { version, commit: written.trim() }
  // Mark the folder as safe for git, because the clone may belong to another user.
  const git = ['-c', 'safe.directory=*', 'rev-parse', 'HEAD']
  const commit = await promisify(execFile)('git', git, { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim(),
    () => 'unknown',
  )
  return { version, commit }
})

function lazily<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= read()
    return value
  }
}
