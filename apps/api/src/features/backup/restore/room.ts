import { mkdir, readdir, statfs } from 'node:fs/promises'
import { isNoSuchFile } from '../../../storage/file-errors.ts'
import { BackupError } from '../backup-error.ts'

const MEGABYTE = 1_048_576
/** For WAL, temporary files of an audit, and what the market's own disk needs to go on. */
const EXTRA_BYTES = 384 * MEGABYTE

/** There is no room to restore a backup beside the market. */
export class NoRoomAsideError extends Error {}

/** How many megabytes a folder's disk lacks for a restored database of `bytes`; 0 if it has room. */
export async function countLackingMb(folder: string, bytes: number): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const { bavail, bsize } = await statfs(folder)
  return Math.max(0, Math.ceil((bytes + EXTRA_BYTES - bavail * bsize) / MEGABYTE))
}

/** Names that a folder may contain and still count as empty: a lock, and a restore that was killed. */
const IGNORED = new Set(['in-use-by', 'restoring', 'lost+found'])

/** Throws BackupError if a folder exists and has something in it. */
export async function assertEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isNoSuchFile(error)) return []
    throw error
  })
  const found = names.find((name) => !IGNORED.has(name))
  if (found === undefined) return
  throw new BackupError(
    `The data folder ${folder} is not empty (there is ${found}); set DATA_DIR to an empty or new folder.`,
  )
}
