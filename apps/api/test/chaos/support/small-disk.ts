import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'

const CHUNK_BYTES = 65_536

/** A small file system for tests to fill. */
export interface SmallDisk {
  readonly folder: string
  /** Fills the disk completely. */
  fill(): void
  /** Frees the space that `fill` used. */
  free(): void
  /** Unmounts the disk, which must no longer be in use. */
  remove(): void
}

/** Mounts a tmpfs of this many MB. Returns null if the system or user cannot. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = makeDataFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    removeDataFolder(folder)
    return null
  }
  const file = join(folder, 'filled')
  return {
    folder,
    fill: () => fillWith(file),
    free: () => rmSync(file, { force: true }),
    remove: () => {
      execFileSync('umount', [folder], { stdio: 'ignore' })
      removeDataFolder(folder)
    },
  }
}

function fillWith(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (let bytes = CHUNK_BYTES; bytes >= 1; ) {
      if (!isWritten(file, bytes)) bytes = Math.floor(bytes / 2)
    }
  } finally {
    closeSync(file)
  }
}

function isWritten(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
