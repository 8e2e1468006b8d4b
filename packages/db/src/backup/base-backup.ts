import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabaseAddress } from '../client.ts'
import { findHome } from '../embedded/home.ts'
import { giveTo } from '../embedded/init-cluster.ts'
import { withClient } from './client.ts'

/**
 * Has the embedded server of `dataDir` copy its data folder, with the log that makes the copy consistent, and hands the tar to
 * `use`. Trading goes on. Fails if the checksum of a page is wrong.
 */
export async function withBaseBackup<T>(
  address: DatabaseAddress,
  dataDir: string,
  use: (tar: string) => Promise<T>,
): Promise<T> {
  const home = findHome(dataDir)
  const folder = join(home.folder, 'copy')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  giveTo(home.user, folder)
  try {
    const target = `TARGET 'server', TARGET_DETAIL ${pg.escapeLiteral(folder)}`
    await withClient({ ...address, replication: 'true' }, (client) =>
      client.query(
        `BASE_BACKUP (LABEL 'papermoon', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'no', ${target})`,
      ),
    )
    return await use(join(folder, 'base.tar'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
