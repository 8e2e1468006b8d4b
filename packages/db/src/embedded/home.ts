import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedPostgresError } from '../errors.ts'
import { type ChildUser, canReach, findChildUser } from './child-user.ts'
import { ensureSharedFolder } from './shared-folder.ts'

/** The folder of one embedded server and whom it runs as. Everything of the server lies in it. */
export interface Home {
  readonly folder: string
  /** PostgreSQL's own data folder. It exists only when it is complete. */
  readonly data: string
  readonly passwordFile: string
  readonly logFile: string
  readonly user: ChildUser | undefined
}

/**
 * The home of the server of `dataDir`: its subfolder `postgres`, or, where the user that PostgreSQL runs as cannot
 * reach that, a folder elsewhere that the file `postgres-is-at` in `dataDir` names.
 *
 * Throws EmbeddedPostgresError when the data is gone or belongs to somebody else.
 */
export function findHome(dataDir: string): Home {
  mkdirSync(dataDir, { recursive: true })
  const user = findChildUser()
  const folder = findFolder(realpathSync(dataDir), user)
  mkdirSync(folder, { recursive: true })
  // Its children are closed; the user PostgreSQL runs as only has to pass through.
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
  const local = join(dataDir, 'postgres')
  if (!user || existsSync(join(local, 'data')) || canReach(user, dataDir)) return local
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  // The random part keeps a new DATA_DIR at the path of a deleted one from finding the old one's data.
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

/** Data made by an ordinary user goes on running as that user when root starts it, and never as another user. */
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
