import { chmodSync, mkdirSync } from 'node:fs'
import { EmbeddedPostgresError } from '../errors.ts'
import { type ChildUser, canReach } from './child-user.ts'

const candidates = ['/var/lib/papermoon', '/opt/papermoon', '/var/tmp/papermoon']

/**
 * A folder of root's that the user PostgreSQL runs as can pass through, made if needed. For a clone that only root can
 * enter, such as one below /root.
 */
export function ensureSharedFolder(user: ChildUser): string {
  for (const folder of candidates) {
    try {
      mkdirSync(folder, { recursive: true })
      chmodSync(folder, 0o711)
      if (canReach(user, folder)) return folder
    } catch {
      // Read-only here; the next one may not be.
    }
  }
  throw new EmbeddedPostgresError(
    `The user that PostgreSQL runs as cannot reach this folder, and none of ${candidates.join(', ')} can be made; start Papermoon as an ordinary user or set DATABASE_URL.`,
  )
}
