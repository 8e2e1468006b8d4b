import { listBackupIds, readBackup } from '../manifest.ts'
import type { Vault } from '../place/vault.ts'
import { removeBackup } from '../take/take-backup.ts'

const FOLDER = 'pictures/'

/**
 * Removes all but the newest `keep` backups that were restored and audited, with their WAL; one that was not audited goes with
 * the older ones. Then removes pictures that no kept backup needs. Returns the ids of what was removed.
 */
export async function removeOldBackups(vault: Vault, keep: number): Promise<string[]> {
  const ids = await listBackupIds(vault)
  const backups = []
  for (const id of ids) backups.push(await readBackup(vault, id))
  const counted = backups.filter(({ manifest }) => manifest.verified !== null)
  const oldest = counted.at(keep - 1)
  if (oldest === undefined) return []
  const removed = ids.filter((id) => id < oldest.id)
  for (const id of removed) await removeBackup(vault, id)
  if (removed.length > 0) await removeOldPictures(vault, backups.slice(0, ids.length - removed.length))
  return removed
}

/** A picture that was stored after the oldest backup began may belong to a moment that only WAL holds. */
async function removeOldPictures(vault: Vault, kept: readonly Awaited<ReturnType<typeof readBackup>>[]): Promise<void> {
  const used = new Set<string>()
  for (const { manifest } of kept) {
    const names = (await vault.readAll(manifest.pictures.name, manifest.pictures)).toString('utf8')
    for (const name of names.split('\n')) used.add(name)
  }
  const since = kept.at(-1)?.manifest.startedAt ?? new Date(0)
  for (const { name, modifiedAt } of await vault.place.list(FOLDER)) {
    if (modifiedAt < since && !used.has(vault.toPlainName(name))) await vault.place.remove(name)
  }
}
