import { onTestFinished } from 'vitest'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'

/** A folder that PostgreSQL's user can traverse; removed after the test. */
export function temporaryFolder(): string {
  const folder = makeDataFolder()
  onTestFinished(() => removeDataFolder(folder))
  return folder
}
