import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'

/** Settings of PostgreSQL, as `name: value`. */
export type Settings = Readonly<Record<string, string | number>>

/**
 * Max number of connections. One server with its audits and backups, and operators' commands, need no more connections
 * than this.
 */
const CONNECTIONS_MAX = 60

/** Settings for a small machine. Writes are durable, so committed orders survive a crash. */
export const durableSettings: Settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: `${sharedBuffersMb()}MB`,
  max_connections: CONNECTIONS_MAX,
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  // If a backup's destination hangs, let the backup fail. If PostgreSQL kept the log that the backup needs, the log
  // would fill the disk.
  max_slot_wal_keep_size: '4GB',
  // I/O workers and JIT help only on larger machines and with larger queries.
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  // Do not log statements and error details, because they contain players' email addresses.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

/**
 * Returns a sixteenth of the memory of the machine or container, between 128 MB and 1 GB. PostgreSQL allocates this
 * memory on demand.
 */
function sharedBuffersMb(): number {
  // If there is no limit, systems report a huge number or 0.
  const limit = constrainedMemory() || Number.POSITIVE_INFINITY
  const sixteenth = Math.floor(Math.min(totalmem(), limit) / 16 / 2 ** 20)
  return Math.min(1_024, Math.max(128, sixteenth))
}
