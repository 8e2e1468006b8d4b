import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findHome, type Home } from './home.ts'
import { giveTo } from './init-cluster.ts'
import type { Settings } from './settings.ts'

/** Max number of files in the spool (4 GB). An unreachable backup destination must not fill the disk. */
const FILES_MAX = 256
/** Min disk space that stays free for the market in KB. PostgreSQL stops when its disk is full. */
const ROOM_KB_MIN = 256 * 1_024
const ID_FILE = '.id'

/**
 * The folder in which PostgreSQL puts each full file of its write-ahead log. A file stays in the spool until it is
 * stored elsewhere.
 */
export interface Spool {
  readonly folder: string
  /** Id of a sequence of files without gaps. A new spool that replaces an abandoned one has another id. */
  readonly id: string
}

const toSpoolFolder = (home: Pick<Home, 'folder'>): string => join(home.folder, 'archive', 'spool')

/**
 * Returns the settings with which PostgreSQL copies each full file of its log to the spool, if there is a spool. A file
 * appears in the spool only when it is completely on the disk. The copy command gives up the spool if the spool is full
 * or the disk is nearly full.
 */
export function listArchiveSettings(home: Home): Settings {
  const spool = `'${toSpoolFolder(home).replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
  const command = [
    `s=${spool}; [ -d "$s" ] || exit 0`,
    // The fourth column of the last line is the free space in KB. A value that is not a number counts as enough space.
    'set -- $(df -Pk "$s" | tail -n 1)',
    `if [ "$(ls "$s" | wc -l)" -ge ${FILES_MAX} ] || [ "$4" -lt ${ROOM_KB_MIN} ]; then mv "$s" "$s.full" && rm -r "$s.full"; exit; fi`,
    `cp "%p" "$s/.new" && sync "$s/.new" && mv "$s/.new" "$s/%f" && sync "$s"`,
  ]
  return { archive_mode: 'on', archive_command: command.join('; ') }
}

/**
 * Opens the spool of an embedded server for one history of its database. Creates a missing spool, and deletes files of
 * another history.
 */
export function openSpool(dataDir: string, history: string): Spool {
  const home = findHome(dataDir)
  const folder = toSpoolFolder(home)
  if (!findSpool(dataDir)?.id.startsWith(`${history}-`)) {
    removeSpool(dataDir)
    const draft = `${folder}.draft`
    mkdirSync(draft, { recursive: true, mode: 0o700 })
    const id = `${history}-${randomBytes(4).toString('hex')}`
    writeFileSync(join(draft, ID_FILE), id, { mode: 0o600, flush: true })
    giveTo(home.user, join(home.folder, 'archive'))
    giveTo(home.user, draft)
    renameSync(draft, folder)
  }
  return { folder, id: readFileSync(join(folder, ID_FILE), 'utf8') }
}

/** Finds the spool of an embedded server, or returns null if there is no spool. */
export function findSpool(dataDir: string): Spool | null {
  const folder = toSpoolFolder(findHome(dataDir))
  const file = join(folder, ID_FILE)
  return existsSync(file) ? { folder, id: readFileSync(file, 'utf8') } : null
}

/** Removes an embedded server's spool. Without a spool, PostgreSQL keeps no log files for an archive. */
export function removeSpool(dataDir: string): void {
  rmSync(join(findHome(dataDir).folder, 'archive'), { recursive: true, force: true })
}
