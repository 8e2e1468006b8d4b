import { chmodSync, mkdirSync } from 'node:fs'
import { EmbeddedPostgresError } from '../errors.ts'
import { type ChildUser, canReach } from './child-user.ts'

const candidates = ['/var/lib/papermoon', '/opt/papermoon', '/var/tmp/papermoon']

/**
 * Returns a folder owned by root that PostgreSQL's user can traverse, creating it if needed. For clones that only root can
 * enter, such as one below /root.
 */
export function ensureSharedFolder(user: ChildUser): string {
  for (const folder of candidates) {
    try {
      mkdirSync(folder, { recursive: true })
      chmodSync(folder, 0o711)
      if (canReach(user, folder)) return folder
    } catch {
      // Not writable; try the next one.
    }
  }
  throw new EmbeddedPostgresError(
    `The user that PostgreSQL runs as cannot reach this folder, and none of ${candidates.join(', ')} can be made; start Papermoon as an ordinary user or set DATABASE_URL.`,
  )
}
