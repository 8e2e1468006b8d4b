import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder for data. As root, the user that PostgreSQL runs as must pass through; a socket's path must be short. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pm-proof-'))
  chmodSync(folder, 0o711)
  return folder
}

export function removeDataFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
