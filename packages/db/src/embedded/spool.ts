import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findHome, type Home } from './home.ts'
import { giveTo } from './init-cluster.ts'
import type { Settings } from './settings.ts'

/** 4 GB: a place that cannot be reached must not fill the disk. */
const FILES_MAX = 256
const ID_FILE = '.id'

/** Where PostgreSQL puts each full file of its write-ahead log until it is stored elsewhere. */
export interface Spool {
  readonly folder: string
  /** Names the files that follow each other without a gap: a spool that overflowed is replaced by one with another id. */
  readonly id: string
}

const toSpoolFolder = (home: Pick<Home, 'folder'>): string => join(home.folder, 'archive', 'spool')

/**
 * PostgreSQL copies each full file of its log to the spool, if there is one; a file appears once it is on the disk. A spool that is
 * full is removed.
 */
export function listArchiveSettings(home: Home): Settings {
  const spool = `'${toSpoolFolder(home).replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
  const command = [
    `s=${spool}; [ -d "$s" ] || exit 0`,
    `[ "$(ls "$s" | wc -l)" -lt ${FILES_MAX} ] || { mv "$s" "$s.full" && rm -r "$s.full"; exit; }`,
    `cp "%p" "$s/.new" && sync "$s/.new" && mv "$s/.new" "$s/%f" && sync "$s"`,
  ]
  return { archive_mode: 'on', archive_command: command.join('; ') }
}

/** The spool of an embedded server, created if it is missing. */
export function openSpool(dataDir: string): Spool {
  const home = findHome(dataDir)
  const folder = toSpoolFolder(home)
  if (!existsSync(folder)) {
    const draft = `${folder}.draft`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { recursive: true, mode: 0o700 })
    writeFileSync(join(draft, ID_FILE), randomBytes(8).toString('hex'), { mode: 0o600, flush: true })
    giveTo(home.user, join(home.folder, 'archive'))
    giveTo(home.user, draft)
    renameSync(draft, folder)
  }
  return { folder, id: readFileSync(join(folder, ID_FILE), 'utf8') }
}

/** The id of the spool; null if there is none. */
export function findSpoolId(dataDir: string): string | null {
  const file = join(toSpoolFolder(findHome(dataDir)), ID_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** From now on PostgreSQL keeps no file of its log for an archive. */
export function removeSpool(dataDir: string): void {
  rmSync(join(findHome(dataDir).folder, 'archive'), { recursive: true, force: true })
}
