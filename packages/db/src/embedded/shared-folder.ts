import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { EmbeddedPostgresError } from '../errors.ts'
import { type ChildUser, canReach } from './child-user.ts'

const candidates = ['/var/lib/papermoon', '/opt/papermoon', '/var/tmp/papermoon']

/**
 * Returns root's folder that PostgreSQL's user can enter. Creates it if it is missing. It is needed for clones that
 * only root can enter, such as one below /root.
 */
export function ensureSharedFolder(user: ChildUser, folders: readonly string[] = candidates): string {
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true })
      if (!isOurs(folder)) continue
      chmodSync(folder, 0o711)
      if (canReach(user, folder)) return folder
    } catch {
      // The folder is not writable, so try the next one.
    }
  }
  throw new EmbeddedPostgresError(
    `The user that PostgreSQL runs as cannot reach this folder, and none of ${folders.join(', ')} can be made or is root’s; start Papermoon as an ordinary user or set DATABASE_URL.`,
  )
}

/**
 * Returns whether a folder belongs to us. If it does not, its owner could change the programs in it. The same is true
 * of a link in its place.
 */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder)
  return stat.isDirectory() && (stat.uid === 0 || stat.uid === process.getuid?.())
}
