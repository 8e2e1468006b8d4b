import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Binaries, findPlatformPackage, prepareBinaries } from '../embedded/binaries.ts'
import type { Home } from '../embedded/home.ts'

/** Folders where packages of PostgreSQL put the programs of one major version. */
const listFolders = (major: number): string[] => [
  `/usr/lib/postgresql/${major}/bin`,
  `/usr/pgsql-${major}/bin`,
  `/opt/homebrew/opt/postgresql@${major}/bin`,
  `/usr/local/opt/postgresql@${major}/bin`,
  `/usr/libexec/postgresql${major}`,
]

/** Whether this machine has PostgreSQL programs of this major version: embedded, or installed by a package. */
export function hasPrograms(major: number): boolean {
  return findEmbeddedMajor() === major || findInstalled(major) !== null
}

/** The programs of this major version, for the user of `home`; null if this machine has none. */
export function findPrograms(major: number, home: Home): Binaries | null {
  return findEmbeddedMajor() === major ? prepareBinaries(home.user, home.folder) : findInstalled(major)
}

/** Null if none is installed for this machine. */
function findEmbeddedMajor(): number | null {
  try {
    const { version } = JSON.parse(readFileSync(join(findPlatformPackage(), 'package.json'), 'utf8')) as {
      version: string
    }
    return Number.parseInt(version, 10)
  } catch {
    return null
  }
}

function findInstalled(major: number): Binaries | null {
  const folder = listFolders(major).find((path) => existsSync(join(path, 'postgres')))
  return folder === undefined ? null : { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
}
