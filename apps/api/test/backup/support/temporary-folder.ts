import { onTestFinished } from 'vitest'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'

/** Returns a folder that PostgreSQL's user can enter. The folder is removed after the test. */
export function temporaryFolder(): string {
  const folder = makeDataFolder()
  onTestFinished(() => removeDataFolder(folder))
  return folder
}
