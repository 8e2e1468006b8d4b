import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { EmbeddedPostgresError } from '../errors.ts'

/** The user who runs PostgreSQL. */
export interface ChildUser {
  readonly uid: number
  readonly gid: number
}

const read = 4
const execute = 1

/**
 * Returns the user who runs PostgreSQL. As root, this is `postgres`, or else `nobody`, because PostgreSQL refuses to
 * run as root. If this process is not root, returns undefined, and PostgreSQL runs as the user of this process.
 */
export function findChildUser(): ChildUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const passwd = readFileSync('/etc/passwd', 'utf8')
  for (const name of ['postgres', 'nobody']) {
    const match = passwd.match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'))
    if (match) return { uid: Number(match[1]), gid: Number(match[2]) }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root and there is neither a user postgres nor nobody to run it as; start Papermoon as an ordinary user or set DATABASE_URL.',
  )
}

/** Returns whether `user` may read and run the file, or list and enter the folder, at the absolute `path`. */
export function canUse(user: ChildUser, path: string): boolean {
  return canReach(user, dirname(path)) && hasMode(user, path, read | execute)
}

/** Returns whether `user` may enter every folder on the path to the absolute path `folder`. */
export function canReach(user: ChildUser, folder: string): boolean {
  const parent = dirname(folder)
  return hasMode(user, folder, execute) && (parent === folder || canReach(user, parent))
}

function hasMode(user: ChildUser, path: string, wanted: number): boolean {
  const stat = statSync(path)
  const shift = stat.uid === user.uid ? 6 : stat.gid === user.gid ? 3 : 0
  return ((stat.mode >> shift) & wanted) === wanted
}
