import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseClient } from '@papermoon/db'
import { isNoSuchFile } from '../../../storage/file-errors.ts'
import type { Audited, Manifest } from '../manifest.ts'
import type { Vault } from '../place/vault.ts'
import { restoreDatabase } from './restore-database.ts'
import { countLackingMb, NoRoomAsideError } from './room.ts'

export type Audit = (database: DatabaseClient) => Promise<Audited>

/** Restores a backup below `dataDir`, beside the market, audits the copy and removes it. */
export async function verifyAside(
  vault: Vault,
  manifest: Manifest,
  { dataDir, audit }: { readonly dataDir: string; readonly audit: Audit },
): Promise<Audited> {
  const lacking = await countLackingMb(dataDir, manifest.plainBytes)
  if (lacking > 0) {
    throw new NoRoomAsideError(`${dataDir} has ${lacking} MB too little room to restore the backup aside.`)
  }
  const folder = join(dataDir, `aside-${randomBytes(4).toString('hex')}`)
  try {
    const restored = await restoreDatabase(vault, manifest, folder)
    try {
      return await audit(restored.database)
    } finally {
      await restored.stop()
    }
  } finally {
    await removeDataFolder(folder)
  }
}

/** Removes a data folder, and the home of its PostgreSQL if that is elsewhere. */
export async function removeDataFolder(folder: string): Promise<void> {
  try {
    const home = readFileSync(join(folder, 'postgres-is-at'), 'utf8').trim()
    await rm(home, { recursive: true, force: true })
  } catch (error) {
    if (!isNoSuchFile(error)) throw error
  }
  await rm(folder, { recursive: true, force: true })
}
