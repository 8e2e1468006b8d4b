import { closeSync, copyFileSync, openSync, readSync, statSync, truncateSync } from 'node:fs'

const logBytesMax = 5_000_000
const tailBytesMax = 2_000

/**
 * Keeps the log of PostgreSQL below about 10 MB by copying a full log to `….1` and truncating it. PostgreSQL opens the
 * log for appending, so it continues at the new end. PostgreSQL's own rotation would keep any number of files.
 */
export function truncateLog(path: string): void {
  if (getSize(path) < logBytesMax) return
  try {
    copyFileSync(path, `${path}.1`)
  } catch {
    // If the disk is full, the copy fails. Truncate the log even if the copy failed, because disk space matters more.
  }
  truncateSync(path)
}

/** Returns the size of a file in bytes; 0 if there is no such file. */
export function getSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Returns the last lines of a file that were written after byte `start`. */
export function readTail(path: string, start: number): string {
  const size = getSize(path)
  const length = Math.max(0, Math.min(size - start, tailBytesMax))
  const buffer = Buffer.alloc(length)
  const file = openSync(path, 'r')
  try {
    readSync(file, buffer, 0, length, size - length)
  } finally {
    closeSync(file)
  }
  return buffer.toString('utf8').trim()
}
