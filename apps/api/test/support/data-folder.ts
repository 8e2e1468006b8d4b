import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty data folder. Under root PostgreSQL runs as another user, who must get through; socket paths must be short. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pm-proof-'))
  chmodSync(folder, 0o711)
  return folder
}

export function removeDataFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** A data folder, and the function that removes it. */
export function createDataDir(): { readonly path: string; remove(): void } {
  const path = makeDataFolder()
  return { path, remove: () => removeDataFolder(path) }
}
