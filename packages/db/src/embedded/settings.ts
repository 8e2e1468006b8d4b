import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'

/** PostgreSQL's settings, as `name: value`. */
export type Settings = Readonly<Record<string, string | number>>

/** For a small machine. Durable: an answer that was given survives a crash. */
export const durableSettings: Settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: `${sharedBuffersMb()}MB`,
  max_connections: 60,
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  // Worker processes for I/O and compiled queries pay off only on larger machines and queries.
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
}

/** A sixteenth of the memory there is, of a container's where it is one: 128 MB to 1 GB. Taken as it is needed. */
function sharedBuffersMb(): number {
  // Without a limit the system may tell an enormous one, or 0.
  const limit = constrainedMemory() || Number.POSITIVE_INFINITY
  const sixteenth = Math.floor(Math.min(totalmem(), limit) / 16 / 2 ** 20)
  return Math.min(1_024, Math.max(128, sixteenth))
}
