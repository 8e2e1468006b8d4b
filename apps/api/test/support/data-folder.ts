import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates an empty data folder. Its mode lets PostgreSQL's own user pass if the tests run as root, and its path is
 * short because sockets require that.
 */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pm-proof-'))
  chmodSync(folder, 0o711)
  return folder
}

export function removeDataFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Creates a data folder. Returns its path and a function that removes it. */
export function createDataDir(): { readonly path: string; remove(): void } {
  const path = makeDataFolder()
  return { path, remove: () => removeDataFolder(path) }
}
