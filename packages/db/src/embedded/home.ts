import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedPostgresError } from '../errors.ts'
import { type ChildUser, canReach, findChildUser } from './child-user.ts'
import { ensureSharedFolder } from './shared-folder.ts'

/** The folder with all files of an embedded server, and the user who runs the server. */
export interface Home {
  readonly folder: string
  /** PostgreSQL's data folder. It exists only when it is complete. */
  readonly data: string
  readonly passwordFile: string
  readonly logFile: string
  readonly user: ChildUser | undefined
}

/**
 * Finds or creates the home of `dataDir`'s server: its subfolder `postgres`, or, if PostgreSQL's user cannot reach
 * that, a folder elsewhere. The file `postgres-is-at` in `dataDir` then names that folder.
 *
 * Throws EmbeddedPostgresError if the data is missing or belongs to another user.
 */
export function findHome(dataDir: string): Home {
  mkdirSync(dataDir, { recursive: true })
  const user = findChildUser()
  const folder = findFolder(realpathSync(dataDir), user)
  mkdirSync(folder, { recursive: true })
  // PostgreSQL's user only needs to traverse the folder; the files inside are private.
  if (user) chmodSync(folder, 0o711)
  const data = join(folder, 'data')
  return {
    folder,
    data,
    passwordFile: join(folder, 'password'),
    logFile: join(folder, 'postgres.log'),
    user: existsSync(data) ? findOwner(data, user) : user,
  }
}

function findFolder(dataDir: string, user: ChildUser | undefined): string {
  const pointer = join(dataDir, 'postgres-is-at')
  if (existsSync(pointer)) return followPointer(pointer)
  const restoring = join(dataDir, 'restoring')
  if (existsSync(restoring)) {
    throw new EmbeddedPostgresError(
      `A restore into ${dataDir} was not finished; run it again, or delete ${restoring} to begin with an empty database.`,
    )
  }
  const local = join(dataDir, 'postgres')
  if (!user || existsSync(join(local, 'data')) || canReach(user, dataDir)) return local
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  // The name's random part prevents a new DATA_DIR from finding the data of a deleted one at the same path.
  const elsewhere = join(ensureSharedFolder(user), `${hash}-${randomBytes(4).toString('hex')}`)
  mkdirSync(elsewhere)
  writeFileSync(pointer, `${elsewhere}\n`, { flush: true })
  return elsewhere
}

function followPointer(pointer: string): string {
  const folder = readFileSync(pointer, 'utf8').trim()
  if (existsSync(folder)) return folder
  throw new EmbeddedPostgresError(
    `The database stood in ${folder}, which is gone; bring it back, or delete ${pointer} to begin with an empty one.`,
  )
}

/**
 * Returns the data's owner. If an ordinary user created the data, PostgreSQL keeps running as that user when root
 * starts it, and never as another user.
 */
function findOwner(data: string, user: ChildUser | undefined): ChildUser | undefined {
  const { uid, gid } = statSync(data)
  if (user) {
    const owner = { uid, gid }
    if (canReach(owner, data)) return owner
    throw new EmbeddedPostgresError(
      `The user that PostgreSQL runs as (uid ${uid}) can no longer reach ${data}; make its parent folders passable (chmod a+x).`,
    )
  }
  if (uid === process.getuid?.()) return undefined
  throw new EmbeddedPostgresError(
    `The database in ${data} belongs to another user (uid ${uid}); start Papermoon as that user or as root, or set another DATA_DIR.`,
  )
}
