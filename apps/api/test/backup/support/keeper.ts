import { join } from 'node:path'
import { connect, type DatabaseClient } from '@papermoon/db'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect } from 'vitest'
import { auditCopy } from '../../../src/commands/backup.ts'
import { type KeeperParts, type KeeperReport, keepBackups } from '../../../src/features/backup/keep-backups.ts'
import { FolderLocation } from '../../../src/features/backup/location.ts'
import { restoreBackup, verifyAside } from '../../../src/features/backup/restore.ts'
import { Vault } from '../../../src/features/backup/vault.ts'
import { FileStore } from '../../../src/storage/file-store.ts'
import type { OwnMarket } from './own-market.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The message that a backup keeper logs after a complete backup. */
export const TAKEN = 'a backup was taken, and the audit of its restored copy found no differences'

export const openVault = (folder: string, keys: readonly Buffer[] = []) => new Vault(new FolderLocation(folder), keys)
export const openPictures = (dataDir: string) => new FileStore(join(dataDir, 'objects'), pino({ level: 'silent' }))

/** Returns the source from which backups of a market are taken. */
export function openSource(market: OwnMarket, database: DatabaseClient = market) {
  return { database, objects: openPictures(market.dataDir), dataDir: market.dataDir, isEmbedded: true }
}

/** A node that keeps backups over its own connections. */
export interface Keeper {
  readonly reports: readonly KeeperReport[]
  /** Resolves to the reason why the keeper stopped. */
  readonly ended: Promise<unknown>
  /** Closes the connections. */
  close(): Promise<void>
}

export function startKeeper(market: OwnMarket, vault: Vault, parts: Partial<KeeperParts> = {}): Keeper {
  const reports: KeeperReport[] = []
  const database = connect(market.address, { poolMax: 4 })
  const ended = keepBackups({
    source: openSource(market, database),
    vault,
    everyHours: 24,
    keep: 3,
    followsPictures: true,
    tickMs: 200,
    verify: (backup) => verifyAside(vault, backup, market.dataDir, auditCopy),
    report: (report) => void reports.push(report),
    ...parts,
  }).catch((error: unknown) => error)
  return { reports, ended, close: () => database.close() }
}

/**
 * Restores a moment, or without one the latest state, into a new folder. Checks the books, and returns the result of
 * `read`.
 */
export async function restoreAndRead<T>(
  vault: Vault,
  at: Date | null,
  read: (database: Pick<DatabaseClient, 'db'>) => Promise<T>,
): Promise<T> {
  const found: T[] = []
  await restoreBackup(vault, {
    config: { dataDir: join(temporaryFolder(), 'restored'), databaseUrl: null },
    id: null,
    at,
    openObjects: async (dataDir) => openPictures(dataDir),
    audit: async (database) => {
      found.push(await read(database))
      const audited = await auditCopy(database)
      expect(audited.differences).toBe(0)
      return audited
    },
    say: () => {},
  })
  return found[0] as T
}

/** Returns the time of the database's clock, which sets the commit times. */
export async function readClock({ db }: Pick<OwnMarket, 'db'>): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  return rows[0]?.at ?? new Date(0)
}
