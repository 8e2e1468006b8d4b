import { statfsSync } from 'node:fs'

/** PostgreSQL writes its journal in files of 16 MB, and ends when it cannot make the next one. */
const roomBytesMin = 2 * 16 * 1_048_576

/** Whether the disk of `folder` has no room for a server that is to start. */
export function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < roomBytesMin
}
