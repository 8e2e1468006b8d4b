import { type Db, withTimeout } from '@papermoon/db'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import { SharedRead } from '../cache/shared-read.ts'
import { registerGauge } from '../lib/gauge.ts'

/** How long scrapes share one read, in ms. */
const FRESH_MS = 2_000
const READ_MAX_MS = 2_000

/**
 * Registers metrics about the database's log and its replicas, and reads them when Prometheus asks. Only members of
 * `pg_monitor` see the lag of other roles' connections. While the database is unreachable, all metrics except the first
 * are missing.
 */
export function registerReplicationMetrics(
  registry: Registry,
  { db, log }: { readonly db: Db; readonly log: Logger },
): void {
  const shared = new SharedRead<Replication | null>(FRESH_MS)
  const readNow = () =>
    withTimeout(readReplication(db), READ_MAX_MS).catch((error: unknown) => {
      log.debug({ err: error }, 'the state of replication could not be read')
      return null
    })
  const read = () => shared.get(performance.now(), readNow)
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    fill: (gauge: Gauge<Label>, found: Replication) => void,
  ) =>
    new Gauge<Label>({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const found = await read()
        this.reset()
        if (found !== null) fill(this, found)
        // Remove a metric without labels, because `reset` would leave it at 0. For a metric with labels, `reset`
        // removes all values.
        else if (labelNames.length === 0) this.remove()
      },
    })
  const up = '1 if the database answered when these metrics were read.'
  registerGauge(registry, 'papermoon_database_is_up', up, async () => Number((await read()) !== null))
  gauge('papermoon_database_is_standby', '1 if this server is connected to a standby.', [], (it, { isStandby }) =>
    it.set(Number(isStandby)),
  )
  gauge('papermoon_database_wal_bytes', 'Write-ahead log since the database was made.', [], (it, { walBytes }) => {
    if (walBytes === null) it.remove()
    else it.set(walBytes)
  })
  gauge('papermoon_database_replicas', 'Connected replicas, by state.', ['state'], (it, { replicas }) => {
    it.set({ state: 'streaming' }, 0)
    for (const { state } of replicas) it.inc({ state: state ?? 'unknown' })
  })
  gauge(
    'papermoon_database_replication_lag_bytes',
    'Write-ahead log that a replica has not applied.',
    ['replica'],
    (it, { replicas }) => {
      for (const { name, lagBytes } of replicas) if (lagBytes !== null) it.set({ replica: name }, lagBytes)
    },
  )
  gauge(
    'papermoon_database_replication_lag_seconds',
    'How late a replica applied the last commits; 0 while it is idle.',
    ['replica'],
    (it, { replicas }) => {
      for (const { name, lagBytes, lagSeconds } of replicas) {
        if (lagBytes !== null) it.set({ replica: name }, lagSeconds ?? 0)
      }
    },
  )
}

interface Replica {
  readonly name: string
  /** The replica's state, such as `streaming`, `catchup` or `backup`; null without the right to read it. */
  readonly state: string | null
  /** Number of bytes of the log that the replica has not applied yet; null if the server may not read it. */
  readonly lagBytes: number | null
  /**
   * Delay in seconds of the last commit that the replica applied; null when the replica is idle and has applied
   * everything.
   */
  readonly lagSeconds: number | null
}

interface Replication {
  readonly isStandby: boolean
  /** Bytes of write-ahead log since the database was created; null on a standby. */
  readonly walBytes: number | null
  readonly replicas: readonly Replica[]
}

/** Reads the state of the server's log and of its replicas. */
async function readReplication(db: Db): Promise<Replication> {
  const { rows } = await sql<Replication>`
    select pg_is_in_recovery() as "isStandby",
           case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 end as "walBytes",
           coalesce((
             select json_agg(json_build_object(
                      'name', coalesce(nullif(application_name, ''), 'unnamed'),
                      'state', state,
                      'lagBytes', pg_wal_lsn_diff(
                        case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end, replay_lsn),
                      'lagSeconds', extract(epoch from replay_lag)))
               from pg_stat_replication), '[]'::json) as replicas`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('no state of replication')
  return found
}
