import type { Database } from '@papermoon/db'
import { withTimeout } from '@papermoon/db'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import { type Replication, readReplication } from './replication.ts'

/** Two scrapes within it share one read. */
const FRESH_MS = 2_000
const READ_MAX_MS = 2_000

/**
 * Metrics of the database's log and of those who replicate it, read when Prometheus asks. Of other roles' connections PostgreSQL
 * shows the lag only to a member of `pg_monitor`. While the database is away, all but the first are absent.
 */
export function registerReplicationMetrics(
  registry: Registry,
  { db, log }: { readonly db: Kysely<Database>; readonly log: Logger },
): void {
  const read = shareReads(db, log)
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
        // Without labels a reset leaves a 0; with labels nothing, and `remove` wants their values.
        else if (labelNames.length === 0) this.remove()
      },
    })
  new Gauge({
    name: 'papermoon_database_is_up',
    help: '1 if the database answered when these metrics were read.',
    registers: [registry],
    async collect() {
      this.set((await read()) === null ? 0 : 1)
    },
  })
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

/** Null where the database does not answer in time. Never rejects. */
function shareReads(db: Kysely<Database>, log: Logger): () => Promise<Replication | null> {
  let reading: Promise<Replication | null> | null = null
  let readMs = Number.NEGATIVE_INFINITY
  return () => {
    if (reading === null || performance.now() - readMs > FRESH_MS) {
      readMs = performance.now()
      reading = withTimeout(readReplication(db), READ_MAX_MS).catch((error: unknown) => {
        log.debug({ err: error }, 'the state of replication could not be read')
        return null
      })
    }
    return reading
  }
}
