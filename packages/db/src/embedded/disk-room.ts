import { statfsSync } from 'node:fs'

/**
 * Min free disk space in bytes for starting a server. Each WAL file of PostgreSQL has 16 MB, and PostgreSQL exits if it
 * cannot create the next one.
 */
const roomBytesMin = 2 * 16 * 1_048_576

/** Returns whether the disk of `folder` is too full to start a server. */
export function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < roomBytesMin
}
