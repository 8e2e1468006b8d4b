import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const skipped = new Set(['node_modules', 'dist', 'test-results', '.turbo', '.data'])

/** Lists all files below `folder` as sorted relative paths, except installed and generated files. */
export function listFilesBelow(folder) {
  return listBelow(folder, '').sort()
}

function listBelow(folder, prefix) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = prefix + entry.name
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listBelow(join(folder, entry.name), `${path}/`)
    return entry.isFile() ? [path] : []
  })
}
