import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { EmbeddedPostgresError } from '../errors.ts'
import { type ChildUser, canReach } from './child-user.ts'

const candidates = ['/var/lib/papermoon', '/opt/papermoon', '/var/tmp/papermoon']

/**
 * Returns the folder of root that PostgreSQL's user can enter, and creates this folder if it is missing. The folder is
 * needed for a clone that only root can enter, such as a clone below /root.
 */
export function ensureSharedFolder(user: ChildUser, folders: readonly string[] = candidates): string {
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true })
      if (!isOurs(folder)) continue
      chmodSync(folder, 0o711)
      if (canReach(user, folder)) return folder
    } catch {
      // The folder is not writable, so try the next folder.
    }
  }
  throw new EmbeddedPostgresError(
    `The user that PostgreSQL runs as cannot reach this folder, and none of ${folders.join(', ')} can be made or is root’s; start Papermoon as an ordinary user or set DATABASE_URL.`,
  )
}

/**
 * Returns whether a folder belongs to us. The owner of any other folder could change the programs in it. The owner of a
 * link in its place could do the same.
 */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder)
  return stat.isDirectory() && (stat.uid === 0 || stat.uid === process.getuid?.())
}
