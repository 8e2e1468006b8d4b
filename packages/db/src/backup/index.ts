export {
  assertKnownMigrations,
  createSchema,
  importTables,
  isEmptyDatabase,
  openExport,
  readMigrations,
} from './logical.ts'
export { findSegmentStart, formatLsn, formatSegmentName, type Lsn, parseLsn } from './lsn.ts'
export { hasPrograms } from './programs.ts'
export { recoverCluster } from './recover.ts'
export { identifySystem, openReplication, startBaseBackup } from './replication.ts'
export type { WalSource } from './serve-wal.ts'
export { startWalStream } from './wal-stream.ts'
