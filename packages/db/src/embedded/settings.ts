/** PostgreSQL's settings, as `name: value`. */
export type Settings = Readonly<Record<string, string | number>>

/** For a small machine. Durable: an answer that was given survives a crash. */
export const durableSettings: Settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '128MB',
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
