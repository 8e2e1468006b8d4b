import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canReach } from './child-user.ts'
import type { Home } from './home.ts'
import { giveTo } from './init-cluster.ts'

/** Max length of a socket path in bytes. Linux allows 107 bytes, and macOS 103. */
const socketPathBytesMax = 100

/** Part of the file name of the socket. The server does not listen on a TCP port. */
export const socketPort = 5432

/** The private folder for the socket of the server. `remove` deletes a temporary folder. */
export interface SocketFolder {
  readonly path: string
  remove(): void
}

/**
 * Creates a folder for the server's socket that only PostgreSQL's user and root can enter. The socket's folder is in
 * the home. If the home's path is too long for a socket, the socket's folder is a temporary one.
 */
export function makeSocketFolder(home: Home): SocketFolder {
  const own = join(home.folder, 'run')
  const path = fits(own) ? own : mkdtempSync(join(shortTemporaryFolder(home), 'papermoon-'))
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o700)
  giveTo(home.user, path)
  return { path, remove: () => path !== own && rmSync(path, { recursive: true, force: true }) }
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${socketPort}`)) <= socketPathBytesMax
}

function shortTemporaryFolder(home: Home): string {
  const folder = tmpdir()
  const isUsable = fits(join(folder, 'papermoon-XXXXXX')) && (!home.user || canReach(home.user, folder))
  return isUsable ? folder : '/tmp'
}
