import pg from 'pg'
import type { DatabaseAddress } from '../client.ts'
import { CopyOutQuery } from './copy-query.ts'
import { type Lsn, parseLsn } from './lsn.ts'

const CONNECT_MAX_MS = 10_000
/** Shown in `pg_stat_replication`. */
const REPLICATION_NAME = 'papermoon_backup'

/** Identity of a server on a replication connection. */
export interface SystemIdentity {
  /** Differs between clusters that were not copied from each other. */
  readonly systemId: string
  readonly timeline: number
}

/** A connection for base backups and WAL. */
export interface ReplicationConnection {
  readonly client: pg.Client
  close(): Promise<void>
}

/** Opens a replication connection; the role needs REPLICATION, and `pg_hba.conf` a line for it. */
export async function openReplication(address: DatabaseAddress): Promise<ReplicationConnection> {
  const options = { ...address, replication: 'true', application_name: REPLICATION_NAME, keepAlive: true }
  const client = new pg.Client({ ...options, connectionTimeoutMillis: CONNECT_MAX_MS })
  // A broken connection is reported by its statement.
  client.on('error', () => {})
  await client.connect()
  return { client, close: () => client.end() }
}

export async function identifySystem({ client }: ReplicationConnection): Promise<SystemIdentity> {
  const { rows } = await client.query('IDENTIFY_SYSTEM')
  return { systemId: String(rows[0]?.systemid), timeline: Number(rows[0]?.timeline) }
}

/** A base backup: the data folder as a tar, with the WAL that makes it consistent. */
export interface BaseBackup {
  /** The tar's bytes. Fails at its end if a page's checksum was wrong. */
  readonly tar: AsyncIterable<Buffer>
  /** Where its WAL begins and ends, and its timeline; throws before the tar was read to its end. */
  range(): BaseBackupRange
}

export interface BaseBackupRange {
  readonly start: Lsn
  readonly end: Lsn
  readonly timeline: number
}

/** Begins an online backup of the whole server (BASE_BACKUP of PostgreSQL's replication protocol, version 15 on). */
export function startBaseBackup({ client }: ReplicationConnection): BaseBackup {
  const query = new CopyOutQuery(`BASE_BACKUP (LABEL 'papermoon', CHECKPOINT 'fast', WAL true, MANIFEST 'no')`)
  client.query(query)
  return { tar: readTar(query), range: () => readRange(query) }
}

/** Each message begins with its kind: `n`ew archive, `d`ata, `m`anifest or `p`rogress. */
async function* readTar(query: CopyOutQuery): AsyncIterable<Buffer> {
  for await (const message of query as AsyncIterable<Buffer>) {
    if (message[0] === 'd'.charCodeAt(0)) yield message.subarray(1)
  }
}

/** The first row is the start and its timeline; the last row is the end. Rows between them are tablespaces. */
function readRange({ rows }: CopyOutQuery): BaseBackupRange {
  const [first, last] = [rows.at(0), rows.at(-1)]
  if (rows.length < 3 || !first?.[0] || !last?.[0]) throw new Error('the base backup has no end')
  return { start: parseLsn(first[0]), end: parseLsn(last[0]), timeline: Number(first[1]) }
}
