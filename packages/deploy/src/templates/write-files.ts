import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SystemUser } from '../programs/programs.ts'
import type { RenderedFile } from './render-cluster.ts'

/** Makes a folder that its user alone can read. */
export function makeFolder(path: string, user: SystemUser | null): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (user !== null) chownSync(path, user.uid, user.gid)
}

/** Writes files that their user alone can read: they hold passwords. */
export function writeFiles(folder: string, files: readonly RenderedFile[], user: SystemUser | null): void {
  for (const { name, text } of files) {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    if (user !== null) chownSync(path, user.uid, user.gid)
  }
}
