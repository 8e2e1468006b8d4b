import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedPostgresError } from '../errors.ts'
import { type ChildUser, canReach, findChildUser } from './child-user.ts'
import { ensureSharedFolder } from './shared-folder.ts'

/** The folder with all files of an embedded server, and the user who runs the server. */
export interface Home {
  readonly folder: string
  /** The data folder of PostgreSQL. This folder exists only if it is complete. */
  readonly data: string
  readonly passwordFile: string
  readonly logFile: string
  readonly user: ChildUser | undefined
}

/**
 * Finds or creates the home of `dataDir`'s server. The home is normally the subfolder `postgres`. If PostgreSQL's user
 * cannot reach that subfolder, the home is a folder elsewhere, and the file `postgres-is-at` in `dataDir` contains its
 * path. Throws EmbeddedPostgresError if the data is missing or belongs to another user.
 */
export function findHome(dataDir: string): Home {
  mkdirSync(dataDir, { recursive: true })
  const user = findChildUser()
  const folder = findFolder(realpathSync(dataDir), user)
  mkdirSync(folder, { recursive: true })
  // PostgreSQL's user only needs to enter the folder. The files in the folder are private.
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
  // The name has a random part, because otherwise a new DATA_DIR could find the data of a deleted one at the same path.
  const elsewhere = join(ensureSharedFolder(user), `${hash}-${randomBytes(4).toString('hex')}`)
  mkdirSync(elsewhere)
  writeFileSync(pointer, `${elsewhere}\n`, { flush: true })
  return elsewhere
}

function followPointer(pointer: string): string {
  const folder = readFileSync(pointer, 'utf8').trim()
  if (existsSync(folder)) return folder
  throw new EmbeddedPostgresError(
    `The database was in ${folder}, which is missing. Restore the folder, or delete ${pointer} to begin with an empty database.`,
  )
}

/**
 * Returns the owner of the data. If an ordinary user created the data, PostgreSQL still runs as this user when root
 * starts it.
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
