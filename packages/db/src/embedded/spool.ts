import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findHome, type Home } from './home.ts'
import { giveTo } from './init-cluster.ts'
import type { Settings } from './settings.ts'

/** 4 GB: a place that cannot be reached must not fill the disk. */
const FILES_MAX = 256
/** Room that stays free for the market: PostgreSQL ends when its disk is full. */
const ROOM_KB_MIN = 256 * 1_024
const ID_FILE = '.id'

/** Where PostgreSQL puts each full file of its write-ahead log until it is stored elsewhere. */
export interface Spool {
  readonly folder: string
  /** Names the files that follow each other without a gap: a spool that was given up is replaced by one with another id. */
  readonly id: string
}

const toSpoolFolder = (home: Pick<Home, 'folder'>): string => join(home.folder, 'archive', 'spool')

/**
 * PostgreSQL copies each full file of its log to the spool, if there is one; a file appears once it is on the disk. The spool is
 * given up when it is full, or the disk nearly is.
 */
export function listArchiveSettings(home: Home): Settings {
  const spool = `'${toSpoolFolder(home).replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
  const command = [
    `s=${spool}; [ -d "$s" ] || exit 0`,
    // The fourth column of the last line is the room in KB. What is no number counts as enough.
    'set -- $(df -Pk "$s" | tail -n 1)',
    `if [ "$(ls "$s" | wc -l)" -ge ${FILES_MAX} ] || [ "$4" -lt ${ROOM_KB_MIN} ]; then mv "$s" "$s.full" && rm -r "$s.full"; exit; fi`,
    `cp "%p" "$s/.new" && sync "$s/.new" && mv "$s/.new" "$s/%f" && sync "$s"`,
  ]
  return { archive_mode: 'on', archive_command: command.join('; ') }
}

/** The spool of an embedded server for one history of its database, created if it is missing; what was of another goes. */
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

/** Null if there is none. */
export function findSpool(dataDir: string): Spool | null {
  const folder = toSpoolFolder(findHome(dataDir))
  const file = join(folder, ID_FILE)
  return existsSync(file) ? { folder, id: readFileSync(file, 'utf8') } : null
}

/** From now on PostgreSQL keeps no file of its log for an archive. */
export function removeSpool(dataDir: string): void {
  rmSync(join(findHome(dataDir).folder, 'archive'), { recursive: true, force: true })
}
