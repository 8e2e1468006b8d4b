export { findSpoolId, openSpool, removeSpool } from '../embedded/spool.ts'
export { withBaseBackup } from './base-backup.ts'
export { assertKnownMigrations, createSchema, exportDatabase, importDatabase, readMigrations } from './logical.ts'
export { recoverCluster } from './recover.ts'
