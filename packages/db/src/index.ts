export { formatNumeric, PREPARED, TimeoutError, withTimeout } from './bounded-client.ts'
export { type ConnectOptions, connect, type DatabaseAddress, type DatabaseClient } from './client.ts'
export { acquireDataDirLock, type DataDirLock } from './data-dir-lock.ts'
export { isDiskFull } from './embedded/disk-room.ts'
export { findEmbeddedAddress } from './embedded/embedded-address.ts'
export { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from './embedded/start-embedded.ts'
export type { UnexpectedEnd } from './embedded/supervise.ts'
export {
  DatabaseIsNewerError,
  DatabaseIsOlderError,
  DatabaseIsReplicaError,
  DatabaseSetupError,
  DataDirInUseError,
  EmbeddedPostgresError,
  NoDatabaseError,
} from './errors.ts'
export { assertMigrated, listMissingMigrations, migrateToLatest } from './migrate.ts'
export type * from './schema.ts'
export {
  getSqlState,
  isConflict,
  isDatabaseFull,
  isDatabaseOutage,
  isDatabaseUnavailable,
  isLockTimeout,
  isStatementCanceled,
} from './unavailable.ts'
